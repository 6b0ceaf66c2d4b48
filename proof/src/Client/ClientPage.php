<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Larder\Proof\Plan;
use Larder\Testbed\Process\Board;

/**
 * The script of php-fpm: some calls, as a worker makes them.
 *
 * Its process and pool live on in the next request, whether this one ends well, runs out of memory in the middle of a
 * reply, or runs out of time.
 */
final readonly class ClientPage
{
    public const CALLS = 30;

    /** Milliseconds; always the same, so that the pool is always the same. */
    private const TIMEOUT = 50;

    /** Nanoseconds; more than the page needs to use up its second. */
    private const LONGEST = 5_000_000_000;

    /** Ticks of 10 ms. */
    private const USED = 94;

    /** Bytes above what is in use now. */
    private const ROOM = 300_000;

    public static function answer(): void
    {
        $plan = Plan::read(getenv('TORTURE_DIRECTORY') . '/plan');
        $board = Board::open($plan->board, ClientTorture::series($plan->workers));
        mt_srand(is_numeric($_GET['seed'] ?? null) ? (int) $_GET['seed'] : 0);
        $worker = new ClientWorker($plan, $board, $plan->workers - 1, self::TIMEOUT);
        match ($_GET['ends'] ?? '') {
            'memory' => ini_set('memory_limit', (string) (memory_get_usage(true) + mt_rand(0, self::ROOM))),
            'time' => set_time_limit(1),
            default => null,
        };
        if (($_GET['ends'] ?? '') === 'memory') {
            $worker->longValues();
        } elseif (($_GET['ends'] ?? '') === 'time') {
            self::useTime();
            $worker->work(min($board->get('end'), (int) hrtime(true) + self::LONGEST));
        }
        $worker->calls(self::CALLS);
        echo 'whole';
    }

    /** Uses up most of the second, in which waiting does not count. */
    private static function useTime(): void
    {
        $end = self::used() + self::USED;
        while (self::used() < $end) {
            hash('xxh3', str_repeat('larder', 1000));
        }
    }

    private static function used(): int
    {
        /** @var array{utime: int, stime: int}|false $times */
        $times = posix_times();

        return $times === false ? PHP_INT_MAX : $times['utime'] + $times['stime'];
    }
}
