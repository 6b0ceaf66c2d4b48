<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\PageStoreFailed;
use Larder\Store\Net\MetaReply;

/**
 * The changed pages of a MemcachedPageStore that are still served for a while, each on the server of its page.
 *
 *     <prefix>~w<key>   a page that a change took away: PHP serves it, and nginx when PHP is down
 *     <prefix>~m<key>   the same while one process makes the page anew: nginx serves it to all
 *
 * memcached itself ends them, by its own clock, so no process has to live for that. What is set here is right only for
 * the moment: a packet that comes late, of a process that was stopped or killed, must not begin the time anew.
 *
 * A change sets `~w` by a compare-and-swap, with a number that it got before it read the page, and deletes the page
 * after that, all on one connection. Whoever changes it later finds the page, and then its own swap makes that of the
 * late one fail; or it finds no page, and then the time has begun before.
 *
 * `~m` gets seconds that were read before. So it is a stub first, which lives shorter than what is taken off these
 * seconds: who was stopped for longer finds no stub to swap.
 *
 * @internal part of MemcachedPageStore
 */
final readonly class StaleItems
{
    public const WAITING = '~w';
    public const MAKING = '~m';

    /** Pages whose bytes a change has in memory at once. */
    private const AT_ONCE = 32;

    /** Seconds that the stub of `~m` lives. */
    private const STUB = 2;

    /** Seconds that are taken off: more than the stub lives, since memcached counts whole seconds. */
    private const OFF = 4;

    public function __construct(
        private MemcachedNodes $nodes,
        private StaleAreas $areas,
        private string $prefix,
    ) {}

    /**
     * Keeps those of these pages that are there, right before they are deleted. One that cannot be kept is a miss.
     *
     * @param list<string> $pages keys
     */
    public function keep(array $pages): void
    {
        foreach (array_chunk($pages, self::AT_ONCE) as $some) {
            $looks = $order = [];
            foreach ($some as $page) {
                $span = $this->areas->span($page);
                if ($span !== null) {
                    $index = $this->server($page);
                    $order[$index][] = [$page, $span->seconds];
                    // The number of the swap first: the page may not be older than it.
                    $looks[$index] = ($looks[$index] ?? '')
                        . \sprintf("mg %s N%d c\r\n", $this->key(self::WAITING, $page), $span->seconds)
                        . \sprintf("mg %s v\r\n", $this->key('', $page));
                }
            }
            $found = $this->nodes->ask($looks);
            $connections = $this->connections(array_keys($looks));
            $sets = [];
            foreach ($order as $index => $placed) {
                foreach ($placed as $at => [$page, $seconds]) {
                    $number = self::cas($found[$index], 2 * $at);
                    $value = self::value($found[$index], 2 * $at + 1);
                    if ($number !== '' && $value !== '') {
                        $sets[$index] = ($sets[$index] ?? '')
                            . $this->swap(self::WAITING, $page, $value, $number, $seconds)
                            . \sprintf("md %s q\r\n", $this->key(self::MAKING, $page));
                    }
                }
            }
            $this->ask($sets, $connections);
        }
    }

    /** @return bool whether nginx serves the stale page to all from now on */
    public function claim(string $page): bool
    {
        if ($this->areas->span($page) === null) {
            return false;
        }
        $index = $this->server($page);
        $making = $this->key(self::MAKING, $page);
        $look = \sprintf("mg %s N%d c\r\nmg %s v t\r\n", $making, self::STUB, $this->key(self::WAITING, $page));
        $found = $this->nodes->ask([$index => $look])[$index];
        $connections = $this->connections([$index]);
        $number = self::cas($found, 0);
        $value = self::value($found, 1);
        $seconds = \is_array($found) ? (int) ($found[1] ?? null)?->flag('t') - self::OFF : 0;
        if ($number === '' || $value === '' || $seconds <= 0) {
            return false;
        }
        $swap = $this->swap(self::MAKING, $page, $value, $number, $seconds);
        $reply = $this->ask([$index => $swap], $connections)[$index] ?? null;

        return \is_array($reply) && ($reply[0]->code ?? '') === 'HD';
    }

    /** Lets nobody but PHP serve the stale page. */
    public function giveBack(string $page): void
    {
        if ($this->areas->span($page) !== null) {
            $this->nodes->ask([$this->server($page) => \sprintf("md %s q\r\n", $this->key(self::MAKING, $page))]);
        }
    }

    /** Removes the stale pages of a key: there is a new one. */
    public function end(string $page): void
    {
        if ($this->areas->span($page) !== null) {
            $this->nodes->ask([$this->server($page) => \sprintf(
                "md %s q\r\nmd %s q\r\n",
                $this->key(self::MAKING, $page),
                $this->key(self::WAITING, $page),
            )]);
        }
    }

    /**
     * @return string the head and the body; empty: there is none
     *
     * @throws PageStoreFailed
     */
    public function read(string $page): string
    {
        if ($this->areas->span($page) === null) {
            return '';
        }
        $index = $this->server($page);
        $look = \sprintf("mg %s v\r\n", $this->key(self::WAITING, $page));

        return self::value($this->nodes->tell([$index => $look])[$index], 0);
    }

    private function swap(string $state, string $page, string $value, string $number, int $seconds): string
    {
        $key = $this->key($state, $page);

        return \sprintf("ms %s %d C%s T%d\r\n%s\r\n", $key, \strlen($value), $number, $seconds, $value);
    }

    /**
     * Asks the servers that are still at the same connection: on another one there may be another server process, which
     * counts its numbers from 1 again.
     *
     * @param array<int, string> $commands    by server
     * @param array<int, int>    $connections by server
     *
     * @return array<int, list<MetaReply>|PageStoreFailed> by server
     */
    private function ask(array $commands, array $connections): array
    {
        return $this->nodes->ask(array_filter(
            $commands,
            fn(int $index): bool => $connections[$index] !== 0
                && $this->nodes->node($index)->number() === $connections[$index],
            ARRAY_FILTER_USE_KEY,
        ));
    }

    /**
     * @param list<int> $servers
     *
     * @return array<int, int> by server; 0: it is closed
     */
    private function connections(array $servers): array
    {
        $connections = [];
        foreach ($servers as $index) {
            $connections[$index] = $this->nodes->node($index)->number();
        }

        return $connections;
    }

    private function server(string $page): int
    {
        return $this->nodes->of($this->prefix . $page);
    }

    private function key(string $state, string $page): string
    {
        return MemcachedNodes::escaped($this->prefix . $state . $page);
    }

    /** @param list<MetaReply>|PageStoreFailed $replies */
    private static function cas(array|PageStoreFailed $replies, int $at): string
    {
        return \is_array($replies) ? (string) ($replies[$at] ?? null)?->flag('c') : '';
    }

    /** @param list<MetaReply>|PageStoreFailed $replies */
    private static function value(array|PageStoreFailed $replies, int $at): string
    {
        return \is_array($replies) ? $replies[$at]->value ?? '' : '';
    }
}
