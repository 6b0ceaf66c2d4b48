<?php

declare(strict_types=1);

/* What one request of RefreshTest does. All have the same cache in shared memory, and the same visitor. */

use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Store\SharedMemoryStore;

require __DIR__ . '/../../../vendor/autoload.php';

$directory = is_string($_GET['directory'] ?? null) ? $_GET['directory'] : '';
$cache = new Cache(SharedMemoryStore::on(), settings: new Settings(early: 0.0));
session_id('visitor');
session_start();
switch ($_GET['do'] ?? '') {
    case 'expire':
        $cache->set('k', 'old', 0.001, 600.0);
        usleep(2_000);
        break;
    case 'read':
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
        break;
    case 'fail':
        echo $cache->remember('k', static fn(): never => throw new RuntimeException('the database is gone'), 600.0);
        break;
    default:
        echo 'another page of the visitor';
}
