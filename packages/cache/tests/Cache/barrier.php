<?php

declare(strict_types=1);

/*
 * Many processes that ask for one key of shared memory at once, while no lock is waited for longer than a millisecond.
 * Prints how many of them made it, by round: on a key that is not there, and on one that is in grace.
 *
 *     php -d extension=larder.so -d larder.lock_timeout=1 barrier.php PROCESSES ROUNDS DIRECTORY
 */

use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Store\SharedMemoryStore;

require __DIR__ . '/../../../../vendor/autoload.php';

[, $processes, $rounds, $directory] = $argv;
$cache = new Cache(SharedMemoryStore::on('barrier'), settings: new Settings(early: 0.0));
$computes = [];
for ($round = 0; $round < (int) $rounds; ++$round) {
    $key = "key $round";
    if ($round % 2 === 1) {
        $cache->set($key, 'old', 0.001, 600.0);
        usleep(2_000);
    }
    $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    [$gate, $start] = $pair !== false ? $pair : throw new RuntimeException('no socket');
    $file = "$directory/$round";
    $children = [];
    for ($i = 0; $i < (int) $processes; ++$i) {
        $child = pcntl_fork();
        if ($child === 0) {
            fclose($start);
            fread($gate, 1);
            $cache->remember($key, static function () use ($file): string {
                file_put_contents($file, 'x', FILE_APPEND);
                usleep(300_000);

                return 'value';
            }, 60.0);
            posix_kill(posix_getpid(), SIGKILL);
        }
        $children[] = $child;
    }
    // Until they stand there: those that come late would find the value.
    usleep(300_000);
    fclose($start);
    fclose($gate);
    foreach ($children as $child) {
        pcntl_waitpid($child, $status);
    }
    $computes[] = (int) @filesize($file);
}
echo json_encode($computes, JSON_THROW_ON_ERROR);
