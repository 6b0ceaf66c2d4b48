<?php

declare(strict_types=1);

/*
 * Readers in processes of their own on one key in shared memory. Prints, as JSON, the number of computes and the values
 * handed out, by round.
 *
 *     php -d extension=larder.so processes.php PROCESSES DIRECTORY
 */

use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Dependency\Gates;
use Larder\Store\SharedMemoryStore;

require __DIR__ . '/../../../../vendor/autoload.php';

[, $processes, $directory] = $argv;
$processes = (int) $processes;

/** Cache and store as each process of an application opens them. */
$open = static function (): Cache {
    $store = SharedMemoryStore::on('processes');
    $gates = new Gates($store, inTransaction: static fn(): bool => false);

    return new Cache($store, $gates, new Settings(wait: 30.0, early: 0.0));
};

/**
 * Runs a reader in each process at the same moment.
 *
 * @param Closure(Closure(): void): mixed $read given what counts a compute; what it returns is noted
 *
 * @return array{int, array<string, int>} computes; processes by what they returned
 */
$round = static function (string $name, Closure $read) use ($processes, $directory): array {
    $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    [$gate, $start] = $pair !== false ? $pair : throw new RuntimeException('no socket');
    $children = [];
    for ($i = 0; $i < $processes; ++$i) {
        $child = pcntl_fork();
        if ($child === 0) {
            fclose($start);
            // Ends when the parent closes its side: the start for all.
            fread($gate, 1);
            $value = $read(static function () use ($directory, $name): void {
                file_put_contents("$directory/$name.computes", '.', FILE_APPEND);
            });
            file_put_contents("$directory/$name.values", (is_string($value) ? $value : '?') . "\n", FILE_APPEND);
            exit(0);
        }
        $children[] = $child;
    }
    fclose($gate);
    fclose($start);
    foreach ($children as $child) {
        pcntl_waitpid($child, $status);
    }
    $values = explode("\n", trim((string) @file_get_contents("$directory/$name.values")));

    return [
        is_file("$directory/$name.computes") ? (int) filesize("$directory/$name.computes") : 0,
        array_count_values($values),
    ];
};

$make = static fn(
    string $name,
    string $value,
): array => $round(
    $name,
    static fn(Closure $count): mixed => $open()->remember('k', static function () use ($count, $value): string {
        $count();
        usleep(150_000);

        return $value;
    }, 60.0, 60.0, ['news:4']),
);

$told = ['cold' => $make('cold', 'first')];

$open()->set('k', 'old', 0.001, 60.0);
usleep(2_000);
$told['expired'] = $make('expired', 'second');
$told['fresh'] = $make('fresh', 'never');

$open()->change(['news:4'], static fn(): null => null);
$open()->delete('k');
$told['deleted'] = $make('deleted', 'third');

$open()->change(['news:4'], static fn(): null => null);
$told['changed'] = $make('changed', 'fourth');

// The first one that makes it dies in the middle; one that waits takes over.
$open()->delete('k');
$told['killed'] = $round('killed', static fn(
    Closure $count,
): mixed => $open()->remember('k', static function () use ($count, $directory): string {
    $count();
    if (@mkdir("$directory/dead")) {
        usleep(50_000);
        posix_kill(posix_getpid(), SIGKILL);
    }
    usleep(150_000);

    return 'by another one';
}, 60.0));

// The same on a value in grace: all others have the old one, and the one that comes later makes it.
$open()->set('k', 'old', 0.001, 60.0);
usleep(2_000);
$told['killed in grace'] = $round('killed in grace', static fn(
    Closure $count,
): mixed => $open()->remember('k', static function () use ($count, $directory): string {
    $count();
    if (@mkdir("$directory/dead in grace")) {
        usleep(50_000);
        posix_kill(posix_getpid(), SIGKILL);
    }

    return 'new';
}, 60.0));
$told['afterwards'] = $open()->remember('k', static fn(): string => 'new');

// Two applications whose names and keys give the same together.
[$a, $ab] = [new Cache(SharedMemoryStore::on('a')), new Cache(SharedMemoryStore::on('ab'))];
$a->set('bk', 'of a');
$ab->set('k', 'of ab');
$a->change(['news:4'], static fn(): null => null);
$told['applications'] = [$a->get('bk'), $ab->get('k'), $a->get('k'), $ab->get('bk')];
$a->clear();
$told['after a clear'] = [$a->get('bk'), $ab->get('k')];

echo json_encode($told, JSON_THROW_ON_ERROR);
