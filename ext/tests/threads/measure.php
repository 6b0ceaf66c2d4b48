<?php

declare(strict_types=1);

/*
 * One request of `tools/zts measure`: measure.php THREAD ROUND WORK SOCKET. Prints how many calls it made. What a
 * request needs besides is small beside the calls, and the same for all that are compared.
 */

use Larder\Memcached;
use Larder\SharedMemory;

[, $thread, , $work, $socket] = $argv;
if ($thread === '-1') {
    return;
}
$store = $work === 'memcached' ? new Memcached("unix:$socket", timeout: 5000) : new SharedMemory();
$calls = $work === 'memcached' ? 5000 : 100000;
$text = str_repeat('x', 100);
$store->add('int', 42);
$store->add('text', $text);
$store->add('rows', array_fill(0, 20, ['id' => 1, 'title' => 'a title']));
$key = "mine $thread";
switch ($work) {
    case 'loop':
        for ($i = 0; $i < $calls; $i++) {
            $key = strlen($text);
        }
        break;
    case 'int':
    case 'text':
    case 'rows':
        for ($i = 0; $i < $calls; $i++) {
            $store->get($work);
        }
        break;
    case 'memcached':
        for ($i = 0; $i < $calls; $i++) {
            $store->get('text');
        }
        break;
    case 'set':
        for ($i = 0; $i < $calls; $i++) {
            $store->set($key, $text);
        }
        break;
    case 'increment':
        for ($i = 0; $i < $calls; $i++) {
            $store->increment($key, 1, 0);
        }
        break;
}
echo "calls $calls\n";
