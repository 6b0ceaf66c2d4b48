<?php

declare(strict_types=1);

/* What one request of RefreshTest does. All have the same cache in shared memory, and the same visitor. */

use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Store\SharedMemoryStore;

require __DIR__ . '/../../../../vendor/autoload.php';

$directory = is_string($_GET['directory'] ?? null) ? $_GET['directory'] : '';
$cache = new Cache(SharedMemoryStore::on(), settings: new Settings(early: 0.0));
session_id('visitor');
session_start();
$do = $_GET['do'] ?? '';
if ($do === 'expire') {
    $cache->set('k', 'old', 0.001, 600.0);
    usleep(2_000);
} elseif ($do === 'read') {
    echo $cache->remember('k', static function () use ($directory): string {
        file_put_contents("$directory/computes", '.', FILE_APPEND);
        // It goes on once the test has the response.
        for ($end = microtime(true) + 60.0; !is_file("$directory/go") && microtime(true) < $end; usleep(1_000)) {
            clearstatcache();
        }
        echo 'printed after the response';
        flush();

        return 'new';
    }, 600.0);
    register_shutdown_function(static function (): void {
        echo ', and what another function adds at the end';
    });
} elseif ($do === 'fail') {
    $fail = static function (): string {
        throw new RuntimeException('the database is gone');
    };
    echo $cache->remember('k', $fail, 600.0);
} else {
    echo 'another page of the visitor';
}
