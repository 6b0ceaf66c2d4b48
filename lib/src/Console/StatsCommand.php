<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Page\Pages;
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
        $pages = Pages::of($site);
        $ledger = $pages->ledger(($site->connect)());
        $state = $ledger->state()->read();
        $count = $ledger->index()->count();
        $routes = $ledger->index()->bytes();
        $values = [
            'release' => $state['release'],
            'generation' => $state['generation'],
            'pages' => $count['pages'],
            'edges' => $count['edges'],
            'bytes' => array_sum($routes),
            'bytes_cap' => $site->bytes,
            'bytes_cap_of_a_route' => (int) ($site->bytes * $site->routeShare),
            'routes' => $routes,
            'drafts' => $pages->directory()->drafts(),
            'counters' => $pages->counters()->all(),
        ];
        $lines = [
            \sprintf('release %s, generation %d', $values['release'], $values['generation']),
            \sprintf('%d pages with %d edges, %d of %d bytes, %d draft files', $values['pages'], $values['edges'], $values['bytes'], $values['bytes_cap'], $values['drafts']),
        ];
        foreach ($routes as $route => $bytes) {
            $lines[] = \sprintf('  %-50s %d of %d bytes', $route, $bytes, $values['bytes_cap_of_a_route']);
        }
        foreach ($values['counters'] as $name => $number) {
            $lines[] = \sprintf('  %-50s %d', $name, $number);
        }

        return new CommandAnswer($values, $lines);
    }
}
