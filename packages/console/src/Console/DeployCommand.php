<?php

declare(strict_types=1);

namespace Larder\Console;

use Closure;
use Larder\Console\Doctor\Check;
use Larder\Console\Doctor\FunctionCalls;
use Larder\Console\Doctor\RightsChecks;
use Larder\Console\Root\Outline;
use Larder\Console\Root\OwnedDirectory;
use Larder\Console\Root\Prepared;
use Larder\Console\Root\RootsProcess;
use Larder\Page\Pages;
use Larder\Page\Site;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** @internal */
#[AsCommand('deploy', 'Makes the list of controllers, and this code the release whose pages are served')]
final class DeployCommand extends SiteCommand implements Prepared
{
    protected function configure(): void
    {
        parent::configure();
        $name = 'Name of the release: up to 64 letters, digits, - and . [the time and a random end]';
        $take = 'Also if the pages lie in another directory, of another host or container, which is gone for good';
        $user = 'For root: php-fpm\'s user, who gets the page directory if there is none';
        $group = 'For root: nginx\'s group; all others may not read the page directory then';
        $this->addOption('user', null, InputOption::VALUE_REQUIRED, $user);
        $this->addOption('group', null, InputOption::VALUE_REQUIRED, $group);
        $this->addOption('release', null, InputOption::VALUE_REQUIRED, $name);
        $this->addOption('take', null, InputOption::VALUE_NONE, $take)->setHelp(
            "Run it whenever the code changed, before it is used.\n\n"
            . "Another directory whose nginx still serves it would go on to serve its pages, whatever changes: with\n"
            . "--take nobody drops them any more.\n\n"
            . 'Example: <info>larder deploy --release=2026-11-21.1</info>',
        );
    }

    public function prepare(Outline $site, InputInterface $input): void
    {
        [$user, $group] = [self::text($input, 'user'), self::text($input, 'group')];
        if ($user !== '' || $group !== '') {
            OwnedDirectory::make($site->place, $user, $group);
        }
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $isRoots = self::text($input, 'user') . self::text($input, 'group') !== '';
        if ($isRoots && RootsProcess::here() === null) {
            throw Refused::because('--user and --group are for root, who may give the page directory to others');
        }
        $id = self::text($input, 'release');
        $pages = Pages::of($site);
        $release = $pages->deploy($id !== '' ? $id : null, $input->getOption('take') === true, self::writer($site));
        $connection = $pages->connect();
        $found = array_filter(
            [...(new RightsChecks($connection))->checks(), ...(new FunctionCalls())->checks($connection, $release)],
            static fn(Check $check): bool => $check->state !== 'ok',
        );
        $controllers = [];
        $lines = array_map(
            static fn(Check $check): string => $check->line(),
            array_values($found),
        );
        foreach ($release->policies() as $class => $policy) {
            $controllers[$class] = ['reads' => $policy->tables, 'ttl' => $policy->ttl];
            $tables = $policy->tables === [] ? 'nothing' : implode(', ', $policy->tables);
            $lines[] = \sprintf(
                '  %s reads %s%s',
                $class,
                $tables,
                $policy->ttl === null ? '' : ", ttl {$policy->ttl} s",
            );
        }

        return new CommandAnswer(
            ['release' => $release->id, 'list' => $site->list, 'pages' => $site->pages, 'controllers' => $controllers,
                'checks' => array_map(static fn(Check $check): array => $check->values(), array_values($found))],
            [\sprintf('Release %s: all pages of earlier releases are out of service.', $release->id), ...$lines],
        );
    }

    /** @return (Closure(string): void)|null null: this process writes the list */
    private static function writer(Site $site): ?Closure
    {
        $root = RootsProcess::here();

        return $root?->told('list') !== true ? null : static function (string $content) use ($root, $site): void {
            $end = $root->ask('list', $content);
            if ($end !== true) {
                $reason = \is_string($end) ? $end : "root's process is gone";
                throw Refused::because("The list $site->list was not written: $reason");
            }
        };
    }
}
