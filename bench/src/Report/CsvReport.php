<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Cell;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Window;

/**
 * The raw windows, one a line (RFC 4180). A cell that has none keeps a line with its state, so that a failure is not
 * lost on the way into a spreadsheet; its figures are empty, not zero.
 */
final readonly class CsvReport
{
    private const BEFORE = ['chart', 'test'];
    private const AFTER = [
        'subject', 'state', 'block', 'position', 'seconds', 'operations', 'errors', 'bytes', 'client_cpu_us',
        'server_cpu_us', 'workers', 'steady', 'offered', 'rate',
    ];

    public function render(Document $document): string
    {
        $parameters = [];
        foreach ($document->charts as $chart) {
            $parameters += $chart->parameters;
        }
        $names = array_map(strval(...), array_keys($parameters));
        // "workers" is a condition of the chart and a column of the window.
        $csv = self::line([
            ...self::BEFORE,
            ...array_map(static fn(string $name): string => 'parameter_' . $name, $names),
            ...self::AFTER,
        ]);
        foreach ($document->charts as $chart) {
            $conditions = array_map(
                static fn(string $name): string => self::scalar($chart->parameters[$name] ?? null),
                $names,
            );
            foreach ($chart->cells as $cell) {
                foreach ($cell->windows === [] ? [null] : $cell->windows as $window) {
                    $csv .= self::line([$chart->id, $chart->test, ...$conditions, ...self::window($cell, $window)]);
                }
            }
        }

        return $csv;
    }

    /** @return list<string> */
    private static function window(Cell $cell, ?Window $window): array
    {
        $figures = $window === null ? array_fill(0, \count(self::AFTER) - 2, '') : [
            (string) $window->block,
            (string) $window->position,
            self::scalar($window->seconds),
            (string) $window->operations,
            (string) $window->errors,
            (string) $window->bytes,
            self::scalar($window->clientCpu),
            self::scalar($window->serverCpu),
            implode(' ', $window->workers),
            self::scalar($window->steady),
            self::scalar($window->offered),
            self::scalar(round($window->rate(), 3)),
        ];

        return [$cell->subject, $cell->state->value, ...$figures];
    }

    private static function scalar(bool|float|int|string|null $value): string
    {
        return match (true) {
            \is_bool($value) => $value ? 'true' : 'false',
            \is_float($value) => (string) json_encode($value),
            default => (string) $value,
        };
    }

    /** @param list<string> $fields */
    private static function line(array $fields): string
    {
        return implode(',', array_map(
            static fn(string $field): string => strpbrk($field, ",\"\r\n") === false
                ? $field
                : '"' . str_replace('"', '""', $field) . '"',
            $fields,
        )) . "\r\n";
    }
}
