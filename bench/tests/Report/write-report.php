<?php

declare(strict_types=1);

// Writes HTML reports of made-up runs, for the browser test, a file each: php write-report.php DIRECTORY

use Larder\Bench\Report\HtmlReport;
use Larder\Bench\Result\Cell;
use Larder\Bench\Result\CellState;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Published;
use Larder\Bench\Result\Role;
use Larder\Bench\Result\Sheet;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Tests\Report\Fixture;

require_once __DIR__ . '/../../../vendor/autoload.php';

$rates = [100.0, 101.0, 99.0, 102.0, 98.0, 100.0];
$at = static fn(string $subject, float $rate): Cell => Fixture::cell($subject, [$rate]);
$void = static fn(string $subject, CellState $state, ?string $error): Cell => new Cell(
    $subject,
    $state,
    $error,
    [],
    [],
    new Histogram(),
);
$text = Fixture::HOSTILE;
$documents = [
    'report' => Fixture::document(),
    'interrupted' => Fixture::interrupted(),
    'empty' => Fixture::of([]),
    'noisy' => Fixture::of([Fixture::chart('keys', [
        Fixture::cell('memcached', $rates),
        Fixture::cell('memcached#2', array_map(static fn(float $rate): float => $rate * 1.1, $rates)),
        Fixture::cell('phpredis', [140.0, 70.0, 130.0, 80.0, 120.0, 90.0]),
    ])]),
    'failed' => Fixture::of([Fixture::chart('keys', [
        $void('memcached', CellState::Failed, null),
        $void('phpredis', CellState::Wrong, 'another value'),
        $void('apcu', CellState::Absent, null),
    ])], false),
    'scales' => Fixture::of([
        Fixture::chart('near', [$at('memcached', 20_000.0), $at('predis', 5_000.0)]),
        Fixture::chart('far', [$at('memcached', 200_000.0), $at('predis', 5_000.0)]),
        Fixture::chart('ahead', [$at('noop', 9e6), $at('apcu', 1.6e6), $at('file', 6e4), $at('memcached', 24_000.0)]),
        Fixture::chart('zero', [$at('memcached', 0.0)]),
        Fixture::chart('void', [$void('memcached', CellState::Wrong, 'another value')]),
    ]),
    // Every text of it does what it can to get out of its place.
    'hostile' => new Document($text, $text, $text, 1.0, false, [$text => [$text => [$text]]], [$text], [
        new Sheet($text, $text, Role::Contender, [$text => $text]),
        new Sheet('memcached', $text, Role::Contender, []),
    ], [
        Fixture::chart($text, [
            Fixture::cell($text, $rates),
            Fixture::cell('memcached', array_map(static fn(float $rate): float => $rate / 2, $rates)),
            $void($text . 1, CellState::Failed, $text),
            $void($text . 2, CellState::Absent, $text),
        ], [$text => $text]),
    ], [new Published($text, $text, $text, $text)]),
];
foreach ($documents as $name => $document) {
    $file = sprintf('%s/%s.html', $argv[1] ?? '', $name);
    if (file_put_contents($file, (new HtmlReport())->render($document)) === false) {
        exit(2);
    }
}
