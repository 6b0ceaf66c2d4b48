<?php

declare(strict_types=1);

/*
 * A process whose compute ends it, or ends otherwise. Prints nothing of its own.
 *
 *     php -d extension=larder.so giveback.php STORE ADDRESS ENDING
 */

use Larder\Cache;
use Larder\Cache\Refresh;
use Larder\Cache\Settings;
use Larder\Store\MemcachedStore;
use Larder\Store\RedisStore;

require __DIR__ . '/../../../../vendor/autoload.php';

[, $kind, $address, $ending] = $argv;
$open = static fn(Refresh $refresh): Cache => new Cache(
    $kind === 'memcached' ? MemcachedStore::on($address, 'app') : RedisStore::on($address, 'app', client: 'predis'),
    settings: new Settings(refresh: $refresh),
);

// To the last byte, which an array that grows does not reach.
$fill = static function (int $bytes): void {
    for ($all = null;;) {
        $all = [$all, str_repeat('x', $bytes)];
    }
};

$compute = static fn(): mixed => match ($ending) {
    'exit', 'exit after the response' => exit(3),
    'small pieces' => $fill(100),
    'one large piece' => $fill(50_000_000),
    'time limit' => (static function (): void {
        set_time_limit(1);
        for (;;);
    })(),
    'uncaught' => throw new RuntimeException('uncaught'),
    'fatal error' => trigger_error('fatal', E_USER_ERROR),
    'a child ends' => (static function (): string {
        $child = pcntl_fork();
        if ($child === 0) {
            exit(0);
        }
        pcntl_waitpid($child, $status);
        // Until the test has looked at the lease.
        fgets(STDIN);

        return 'made';
    })(),
    'a child throws' => (static function (): string {
        $child = pcntl_fork();
        if ($child === 0) {
            throw new RuntimeException('of the child');
        }
        pcntl_waitpid($child, $status);
        fgets(STDIN);

        return 'made';
    })(),
    default => throw new LogicException("unknown: $ending"),
};

// In a function, whose objects exit() ends before anything is shut down.
(static function () use ($open, $compute, $ending): void {
    $cache = $open($ending === 'exit after the response' ? Refresh::AfterResponse : Refresh::Inline);
    if ($ending === 'exit after the response') {
        $cache->set('k', 'old', 0.001, 60.0);
        usleep(2_000);
    }
    $cache->remember('other', static fn(): string => 'made');
    $cache->remember('k', $compute, 60.0);
})();
