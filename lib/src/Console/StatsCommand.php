<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Dependency\LedgerReport;
use Larder\Metrics\FileCounters;
use Larder\Page\PageDirectory;
use Larder\Page\Site;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;

#[AsCommand('stats', 'Counts pages, bytes and what happened to requests that reached PHP')]
final class StatsCommand extends SiteCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->setHelp("Hits that nginx served are nginx's to count.\n\nExample: <info>larder stats --format=json</info>");
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $database = ($site->connect)();
        $ledger = self::ledger($site, $database);
        $state = $ledger->state()->read();
        $cap = (int) ($site->bytes * $site->routeShare);
        $routes = array_map(static fn(array $route): array => $route + ['cap' => $cap], (new LedgerReport($database))->routes());
        $values = [
            'release' => $state['release'],
            'generation' => $state['generation'],
            'pages' => array_sum(array_column($routes, 'pages')),
            'edges' => $ledger->index()->count()['edges'],
            'bytes' => array_sum(array_column($routes, 'bytes')),
            'cap' => $site->bytes,
            'drafts' => (new PageDirectory($site->pages))->drafts(),
            'routes' => $routes,
            'counters' => (new FileCounters($site->pages . '/counters'))->all(),
        ];
        $lines = [
            \sprintf('release %s, generation %d', $values['release'], $values['generation']),
            \sprintf('%s with %s, %s of %s, %s under way', Wording::count($values['pages'], 'page'), Wording::count($values['edges'], 'edge'), Wording::bytes($values['bytes']), Wording::bytes($values['cap']), Wording::count($values['drafts'], 'draft')),
        ];
        foreach ($routes as $name => $route) {
            $lines[] = \sprintf('  %-50s %s, %s of %s', $name, Wording::count($route['pages'], 'page'), Wording::bytes($route['bytes']), Wording::bytes($cap));
        }
        foreach ($values['counters'] as $name => $number) {
            $lines[] = \sprintf('  %-50s %d', $name, $number);
        }

        return new CommandAnswer($values, $lines);
    }
}
