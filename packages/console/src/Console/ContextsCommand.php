<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Page\ContextSecrets;
use Larder\Page\Site;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** @internal Writes a new secret of contexts, and lets nginx read it. */
abstract class ContextsCommand extends SiteCommand
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

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        if ($site->visitors->contexts === null) {
            throw Refused::because('This site has no contexts');
        }
        $file = $site->visitors->contexts->secrets;
        $group = self::text($input, 'group');
        $reload = self::text($input, 'reload');
        $secrets = ContextSecrets::renew($file, $this->keep, $group !== '' ? $group : null);
        $lines = [\sprintf('%s has version %d.', $file, $secrets->version()), $this->said($secrets->versions())];
        $code = 0;
        if ($reload !== '') {
            exec("{ $reload\n} 2>&1", $said, $code);
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

    /** @param non-empty-list<int> $accepted versions */
    abstract protected function said(array $accepted): string;
}
