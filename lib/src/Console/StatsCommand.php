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
        $this->setHelp(
            "It does not count the hits that nginx served.\n\nExample: <info>larder stats --format=json</info>",
        );
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
            \sprintf('%d pages with %d edges', $values['pages'], $values['edges'])
                . \sprintf(', %d of %d bytes', $values['bytes'], $values['bytes_cap'])
                . \sprintf(', %d draft files', $values['drafts']),
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
