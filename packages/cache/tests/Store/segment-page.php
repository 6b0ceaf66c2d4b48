<?php

declare(strict_types=1);

/*
 * Reads the title of an item, which lies in a file, through a cache in shared memory. With a title it changes it.
 * Prints what it read. Its first argument, or its query, is the directory.
 *
 *     php -d extension=larder.so segment-page.php DIRECTORY [TITLE]
 */

use Larder\Cache;
use Larder\Dependency\Gates;
use Larder\Store\SharedMemoryStore;

require __DIR__ . '/../../../../vendor/autoload.php';

$directory = $argv[1] ?? $_GET['directory'] ?? null;
assert(is_string($directory));
$store = SharedMemoryStore::on('site');
$cache = new Cache($store, new Gates($store, inTransaction: static fn(): bool => false));
if (isset($argv[2])) {
    $cache->change(['news:4'], static fn(): int|false => file_put_contents($directory . '/title', $argv[2]));
}
echo $cache->remember(
    'title of 4',
    static fn(): string => (string) file_get_contents($directory . '/title'),
    reads: ['news:4'],
);
