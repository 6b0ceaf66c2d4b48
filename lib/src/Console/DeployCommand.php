<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Page\Area;
use Larder\Page\PageDirectory;
use Larder\Page\Policy;
use Larder\Page\Release;
use Larder\Page\Site;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

#[AsCommand('deploy', 'Makes the list of controllers, and this code the release whose pages are served')]
final class DeployCommand extends SiteCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->addOption('release', null, InputOption::VALUE_REQUIRED, 'Name of the release: up to 64 letters, digits, - and . [the time and a random end]')
            ->setHelp("Run it whenever the code changed.\n\nExample: <info>larder deploy --release=2026-11-21.1</info>");
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $id = self::text($input, 'release');
        $dropped = \count((new PageDirectory($site->pages))->keys());
        // Release::deploy says why it goes in the order it does.
        $release = Release::deploy($site, $id !== '' ? $id : null);
        $controllers = array_map(static fn(Policy $policy): array => ['reads' => $policy->tables, 'ttl' => $policy->ttl], $release->policies());
        $areas = array_map(static fn(Area $area): array => ['prefix' => $area->prefix, 'type' => $area->type, 'ttl' => $area->ttl], $site->areas);

        return new CommandAnswer(
            ['release' => $release->id, 'list' => $site->list, 'pages' => $site->pages, 'dropped' => $dropped, 'controllers' => $controllers, 'areas' => $areas],
            [
                \sprintf('Release %s is in service; %s of earlier ones dropped.', $release->id, Wording::count($dropped, 'page')),
                \sprintf('%s listed in %s:', Wording::count(\count($controllers), 'controller'), $site->list),
                ...array_map(
                    static fn(string $class, array $policy): string => \sprintf('  %s reads %s%s', $class, $policy['reads'] === [] ? 'nothing' : implode(', ', $policy['reads']), self::policy($policy['ttl'])),
                    array_keys($controllers),
                    $controllers,
                ),
                \sprintf('%s below %s:', Wording::count(\count($areas), 'area'), $site->pages),
                ...array_map(static fn(array $area): string => \sprintf('  %s is %s%s', $area['prefix'], $area['type'], self::policy($area['ttl'])), $areas),
            ],
        );
    }

    private static function policy(?int $ttl): string
    {
        return $ttl === null ? ', exact' : ", ttl $ttl s";
    }
}
