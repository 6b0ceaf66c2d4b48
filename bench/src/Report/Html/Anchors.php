<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;

/** Ids within the page: made of what is in a name, and numbered, so that no name can break out of one. */
final readonly class Anchors
{
    /**
     * @param array<string, string> $charts by id
     * @param array<string, string> $tests  by name
     */
    private function __construct(
        private array $charts,
        private array $tests,
    ) {}

    public static function of(Document $document): self
    {
        $charts = $tests = [];
        foreach ($document->charts as $chart) {
            $tests[$chart->test] ??= self::made('t', \count($tests) + 1, $chart->test);
            $charts[$chart->id] ??= self::made('c', \count($charts) + 1, $chart->id);
        }

        return new self($charts, $tests);
    }

    public function chart(string $id): string
    {
        return $this->charts[$id] ?? 'guide';
    }

    public function test(Chart $chart): string
    {
        return $this->tests[$chart->test] ?? 'guide';
    }

    private static function made(string $kind, int $number, string $name): string
    {
        return $kind . $number . '-' . trim((string) preg_replace('/[^a-z0-9]+/', '-', strtolower($name)), '-');
    }
}
