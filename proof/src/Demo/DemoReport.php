<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

use Larder\Proof\Result;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * The figures of one host's demonstration, for a file and for the screen.
 *
 * @phpstan-import-type Measured from PageRates
 */
final readonly class DemoReport
{
    /**
     * @param Measured $rates
     *
     * @return array<string, mixed>
     */
    public static function figures(array $rates, Result $edits, int $dropped): array
    {
        return [
            'hit_over_static' => round($rates['over_static']->value, 3),
            'hit_over_static_interval' => [round($rates['over_static']->low, 3), round($rates['over_static']->high, 3)],
            'hit_over_uncached' => round($rates['over_uncached']->value, 2),
            'hit_over_uncached_interval' => [
                round($rates['over_uncached']->low, 2),
                round($rates['over_uncached']->high, 2),
            ],
            'php_requests_during_hits' => $rates['php_requests'],
            'bodies_checked_during_hits' => $rates['checked'],
            'bodies_wrong_during_hits' => $rates['wrong'],
            'page_bytes' => $rates['bytes'],
            'forms' => $rates['rows'],
            'changes' => $edits->count('changes'),
            'pages_dropped' => $dropped,
            'gets_checked' => $edits->count('reads'),
            'stale' => $edits->count('stale'),
            'wrong' => $edits->count('wrong'),
        ];
    }

    /**
     * @param Measured             $rates
     * @param array<string, mixed> $result
     */
    public static function write(OutputInterface $output, array $rates, array $result): void
    {
        $output->writeln(
            \sprintf(
                "\nOne page of %d bytes, wrk with 50 connections on the same machine; medians.\n",
                $rates['bytes'],
            ),
        );
        $table = new Table($output);
        $table->setHeaders(['', 'requests/s', 'p50 ms', 'p99 ms', 'max ms']);
        foreach ($rates['rows'] as $form => $row) {
            $table->addRow([
                $form,
                number_format($row['rate']),
                ...array_map(
                    static fn(int $microseconds): string => \sprintf('%.2f', $microseconds / 1000),
                    [$row['p50'], $row['p99'], $row['max']],
                ),
            ]);
        }
        $table->render();
        $output->writeln(
            \sprintf(
                'page hit / static file   %.3f  (95 %% interval %.3f to %.3f)',
                $rates['over_static']->value,
                $rates['over_static']->low,
                $rates['over_static']->high,
            ),
        );
        $output->writeln(
            \sprintf(
                'page hit / uncached site %.1f  (95 %% interval %.1f to %.1f)',
                $rates['over_uncached']->value,
                $rates['over_uncached']->low,
                $rates['over_uncached']->high,
            ),
        );
        $output->writeln(
            \sprintf(
                'PHP requests during hits %d; bodies checked beside wrk %d, wrong %d',
                $rates['php_requests'],
                $rates['checked'],
                $rates['wrong'],
            ),
        );
        $count = static fn(string $name): int => \is_int($result[$name] ?? null) ? $result[$name] : 0;
        $output->writeln(
            \sprintf(
                'edits under load: %d changes, %d pages dropped, %d GETs checked, %d stale',
                $count('changes'),
                $count('pages_dropped'),
                $count('gets_checked'),
                $count('stale'),
            ),
        );
    }
}
