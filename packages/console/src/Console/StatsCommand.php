<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Page\PageCounts;
use Larder\Page\Pages;
use Larder\Page\PageServers;
use Larder\Page\ServerReport;
use Larder\Page\Site;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;

/** @internal */
#[AsCommand('stats', 'Counts pages, bytes and what happened to requests that reached PHP')]
final class StatsCommand extends SiteCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->setHelp(
            "It counts the hits that nginx served if the Site has a hitLog.\n\n"
                . 'Example: <info>larder stats --format=json</info>',
        );
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $pages = Pages::of($site);
        $ledger = $pages->ledger();
        $state = $ledger->state()->read();
        $count = $ledger->index()->count();
        $routes = $ledger->index()->bytes();
        $counts = $pages->counts();
        $rates = new PageCounts($counts);
        $servers = PageServers::of($site)?->reports() ?? [];
        $values = [
            'release' => $state['release'],
            'generation' => $state['generation'],
            'pages' => $count['pages'],
            'edges' => $count['edges'],
            'bytes' => array_sum($routes),
            'bytes_cap' => $site->limits->bytes,
            'bytes_cap_of_a_route' => $site->limits->routeBytes(),
            'routes' => $routes,
            'drafts' => $pages->directory()->drafts(),
            'hit_rate' => $site->operations->hitLog === null ? null : $rates->hitRate(),
            'servers' => array_map(static fn(ServerReport $server): array => $server->values(), $servers),
            'counters' => $counts,
        ];
        $lines = [
            \sprintf('release %s, generation %d', $values['release'], $values['generation']),
            \sprintf('%d pages with %d edges', $values['pages'], $values['edges'])
                . \sprintf(', %d of %d bytes', $values['bytes'], $values['bytes_cap'])
                . \sprintf(', %d draft files', $values['drafts']),
        ];
        if ($values['hit_rate'] !== null) {
            $lines[] = \sprintf('%.2f %% hits of %d requests', 100 * $values['hit_rate'], $rates->requests());
        }
        foreach ($servers as $server) {
            $lines[] = '  ' . $server->line();
        }
        foreach ($routes as $route => $bytes) {
            $lines[] = \sprintf('  %-50s %d of %d bytes', $route, $bytes, $values['bytes_cap_of_a_route']);
        }
        foreach ($values['counters'] as $name => $number) {
            if (str_contains($name, '_bucket{')) {
                continue;
            }
            $lines[] = \sprintf('  %-70s %s', $name, round($number, 3));
        }

        return new CommandAnswer($values, $lines);
    }
}
