<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Memcached;
use Larder\Pipeline;

/**
 * The stamps of a MemcachedStore: the server process, and the item's CAS unique in it (memcached's doc/protocol.txt),
 * which a process never gives twice.
 *
 * A server that restarts counts from 1 again, so a number is valid only together with the process that gave it. The
 * client must know this process before the calls are sent, and find the same one after the replies came. A server with
 * CAS switched off (-C) gives no numbers, and a pool that gets by datagrams knows no process. Then there are no stamps,
 * and every value is fetched.
 *
 * @internal
 */
final readonly class MemcachedStamps
{
    /** The first try asks for the process at its end, so the second one knows it. */
    private const TRIES = 2;

    public function __construct(
        private MemcachedNamespace $items,
        private Memcached $memcached,
    ) {}

    /**
     * See Confirming.
     *
     * @param array<array-key, string> $stamps
     * @param list<string>             $wanted
     */
    public function confirm(array $stamps, array $wanted): Confirmation
    {
        $wants = array_fill_keys($wanted, true);
        $keys = array_map(strval(...), array_keys($wants + $stamps));
        for ($try = 1; ; ++$try) {
            $before = [];
            $replies = $keys === [] ? new MemcachedReplies(true) : $this->items->run(
                $keys,
                function (Pipeline $calls, string $item, string $key) use ($wants, &$before): Pipeline {
                    $before[$item] = $this->memcached->processOf($item, ask: false);

                    return isset($wants[$key]) ? $calls->read($item) : $calls->version($item);
                },
            );
            $answers = $present = [];
            $isToBeAskedAgain = false;
            foreach ($keys as $call => $key) {
                $answers[$key] = $answer = $replies->answer($call);
                if (!$answer->hit || $answer->stale || $answer->version === 0) {
                    continue;
                }
                $item = $replies->item($call);
                $process = $this->memcached->processOf($item);
                if ($process !== null && $process === $before[$item]) {
                    $present[$key] = $process . ' ' . $answer->version;
                } elseif ($process !== null && !isset($wants[$key])) {
                    $isToBeAskedAgain = true;
                }
            }
            if (!$isToBeAskedAgain || $try === self::TRIES) {
                return new Confirmation($answers, $present);
            }
        }
    }
}
