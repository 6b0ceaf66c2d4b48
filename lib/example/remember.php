<?php

declare(strict_types=1);

use Larder\Cache;
use Larder\Dependency\Gates;
use Larder\Store\ArrayStore;

require 'vendor/autoload.php';

$store = new ArrayStore(); // of this process; SharedMemoryStore::on('news') is one store for all
$cache = new Cache($store, new Gates($store, inTransaction: fn(): bool => false));
$read = fn(): string => (string) file_get_contents('title.txt');
$title = fn(): string => $cache->remember('title of 4', $read, ttl: 60, reads: ['news:4']);
file_put_contents('title.txt', 'Old title');
echo $title(), ', ', $title(), "\n"; // Old title, Old title
$cache->change(['news:4'], fn() => file_put_contents('title.txt', 'New title'));
echo $title(), "\n"; // New title
