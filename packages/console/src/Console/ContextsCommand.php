<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Console\Root\DoneByRoot;
use Larder\Console\Root\Outline;
use Larder\Console\Root\RootsProcess;
use Larder\Page\ContextSecrets;
use Larder\Page\Site;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal Writes a new secret of contexts, and lets nginx read it. */
abstract class ContextsCommand extends SiteCommand implements DoneByRoot
{
    /** @param bool $keep the newest secret goes on being accepted */
    public function __construct(private readonly bool $keep)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        parent::configure();
        $group = 'Group that may read the file: that of php-fpm\'s user [as it was; at first nobody but the owner]';
        $reload = 'Command that is run then and reloads nginx, such as "systemctl reload nginx" [none]';
        $this->addOption('group', null, InputOption::VALUE_REQUIRED, $group)
            ->addOption('reload', null, InputOption::VALUE_REQUIRED, $reload);
    }

    public function place(Outline $site): ?string
    {
        return $site->secrets;
    }

    public function byRoot(Outline $site, InputInterface $input, OutputInterface $output): int
    {
        return $this->answered($input, $output, fn(): CommandAnswer => $this->renew($site, $input));
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        return $this->renew(Outline::of($site), $input);
    }

    /** @param non-empty-list<int> $accepted versions */
    abstract protected function said(array $accepted): string;

    private function renew(Outline $site, InputInterface $input): CommandAnswer
    {
        $file = $site->secrets ?? throw Refused::because('This site has no contexts');
        $group = self::text($input, 'group');
        $reload = self::text($input, 'reload');
        $secrets = ContextSecrets::renew($file, $this->keep, $group !== '' ? $group : null);
        $lines = [\sprintf('%s has version %d.', $file, $secrets->version()), $this->said($secrets->versions())];
        [$code, $said] = $reload === '' ? [0, []] : self::reload($reload);
        if ($reload !== '') {
            $end = $code === 0 ? 'nginx is reloaded.' : "\"$reload\" failed with $code.";
            $lines = [...$lines, ...$said, $end];
        }
        if ($reload === '' || $code !== 0) {
            $lines[] = 'nginx knows nothing of it yet: reload it. Until then it takes new cookies for none, and goes '
                . 'on accepting the old ones.';
        }

        return new CommandAnswer(
            [
                'file' => $file,
                'version' => $secrets->version(),
                'accepted' => $secrets->versions(),
                'reloaded' => $reload !== '' && $code === 0,
            ],
            $lines,
            $code === 0 ? self::SUCCESS : self::FAILURE,
        );
    }

    /** @return array{int, list<string>} exit code, and what the command said */
    private static function reload(string $command): array
    {
        $root = RootsProcess::here();
        if ($root !== null) {
            // Only root may, and it has the command from its own arguments.
            $failure = $root->ask('reload');
            $failure = \is_array($failure) ? $failure[0] ?? null : "root's process is gone";

            return [$failure === null ? 0 : 1, \is_string($failure) ? [$failure] : []];
        }
        exec("{ $command\n} 2>&1", $said, $code);

        return [$code, $said];
    }
}
