<?php

declare(strict_types=1);

// Writes the HTML report of the made-up run, for the browser test: php write-report.php FILE

use Larder\Bench\Report\HtmlReport;
use Larder\Bench\Tests\Report\Fixture;

require_once __DIR__ . '/../../../vendor/autoload.php';

$file = $argv[1] ?? null;
if (!is_string($file) || file_put_contents($file, (new HtmlReport())->render(Fixture::document())) === false) {
    fwrite(STDERR, "php write-report.php FILE\n");
    exit(2);
}
