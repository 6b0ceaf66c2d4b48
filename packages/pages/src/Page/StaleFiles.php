<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Sql\Exception\PageStoreFailed;
use Psr\Clock\ClockInterface;

/**
 * The changed pages of a FilePageStore that are still served for a while.
 *
 *     stale/d/<end>-<name>/w/…         pages that nobody makes anew yet: nginx serves them only when PHP is down
 *     stale/d/<end>-<name>/m/…         pages that one process makes anew: nginx serves them to all
 *     stale/<seconds>/<bucket>/<back>  -> stale/d/…, of the change `back` buckets before, for areas of these seconds
 *
 * nginx itself makes the name of the bucket, from its own clock, and so stops to find a page when its time is over: no
 * process has to live for that. A page is put there by the same rename(2) that takes it out of service, one step before
 * the change commits. A writer that was paused before that step uses a name of the past, which nobody asks for.
 *
 * The bound is one of the clock: if that is set back, a page is found for as much longer. The next change then takes
 * all of them away, since their ends lie too far ahead.
 *
 * @internal part of FilePageStore
 */
final readonly class StaleFiles
{
    private const WAITING = '/w';
    private const MAKING = '/m';
    private const TWIN = '.gz';

    /** @param string $directory of the page store */
    public function __construct(
        private string $directory,
        private StaleAreas $areas,
        private Files $files,
        private ClockInterface $clock,
    ) {}

    public function span(string $key): ?StaleSpan
    {
        return $this->areas->span($key);
    }

    /**
     * Takes a page out of service and keeps it as a stale one, if it is there.
     *
     * @param string $file of the page
     * @param int    $now  read before the change began to take pages away
     *
     * @throws PageStoreFailed then the page may still be in service
     */
    public function keep(string $file, string $key, StaleSpan $span, int $now): void
    {
        $room = $this->open($span, $now);
        $to = $room . self::WAITING . $key . PagePath::SUFFIX;
        $this->files->rename($file . self::TWIN, $to . self::TWIN);
        if ($this->files->rename($file, $to)) {
            // An older one, whose renderer died right after it had published this one.
            $this->remove($key, $span, [self::MAKING]);
        }
    }

    /**
     * Keeps all pages of a release as stale ones, in one step. Of other areas nobody asks for them.
     *
     * @param string $pages directory of the release
     */
    public function keepAll(string $pages): void
    {
        $now = $this->now();
        $end = 0;
        $spans = $this->areas->spans();
        foreach ($spans as $span) {
            $end = max($end, $span->end($span->bucket($now)));
        }
        $room = $end . '-' . bin2hex(random_bytes(8));
        if ($spans === [] || !$this->files->rename($pages, $this->room($room) . self::WAITING)) {
            return;
        }
        foreach ($spans as $span) {
            $this->show($room, $span, $now);
        }
    }

    public function claim(string $key): bool
    {
        return $this->move($key, self::WAITING, self::MAKING);
    }

    public function giveBack(string $key): void
    {
        $this->move($key, self::MAKING, self::WAITING);
    }

    /** Removes the stale pages of a key: there is a new one. */
    public function end(string $key): void
    {
        $span = $this->span($key);
        if ($span !== null) {
            $this->remove($key, $span, [self::MAKING, self::WAITING]);
        }
    }

    /** @return array{bytes: string, mtime: int}|null */
    public function read(string $key, bool $gzip): ?array
    {
        $span = $this->span($key);
        foreach ($span === null ? [] : $this->rooms($span) as $room) {
            foreach ([self::MAKING, self::WAITING] as $state) {
                $found = $this->files->read($room . $state . $key . PagePath::SUFFIX . ($gzip ? self::TWIN : ''));
                if ($found !== null) {
                    return $found;
                }
            }
        }

        return null;
    }

    /** Puts aside what nobody asks for any more, and what has its end too far ahead: the clock was set back. */
    public function retire(): void
    {
        $now = $this->now();
        $longest = array_key_last($this->areas->spans()) ?? 0;
        foreach (array_keys($this->files->entries($this->directory . '/stale/d')) as $room) {
            $end = (int) $room;
            if ($end <= $now || $end - $now > $longest) {
                $this->files->rename($this->room($room), $this->aside());
            }
        }
        foreach ($this->areas->spans() as $seconds => $span) {
            $buckets = $this->directory . '/stale/' . $seconds;
            foreach (array_keys($this->files->entries($buckets)) as $bucket) {
                if ((int) $bucket + $span->step <= $now) {
                    $this->files->rename($buckets . '/' . $bucket, $this->aside());
                }
            }
        }
    }

    /** @return string the directory of a change of now */
    private function open(StaleSpan $span, int $now): string
    {
        $room = $this->link($span, $span->bucket($now), 0);
        if ($this->files->mtime($room) === null) {
            $this->retire();
            $name = $span->end($span->bucket($now)) . '-' . $span->seconds;
            $this->files->makeDirectory($this->room($name) . self::WAITING);
            $this->show($name, $span, $now);
        }

        return $room;
    }

    /** Makes a room the one of the present bucket, which is also found in those that follow. */
    private function show(string $room, StaleSpan $span, int $now): void
    {
        $bucket = $span->bucket($now);
        for ($back = $span->count() - 1; $back >= 0; --$back) {
            $link = $this->link($span, $bucket + $back * $span->step, $back);
            $this->files->makeDirectory(\dirname($link));
            $this->files->point($link, '../../d/' . $room);
        }
    }

    private function move(string $key, string $from, string $to): bool
    {
        $moved = false;
        $span = $this->span($key);
        foreach ($span === null ? [] : $this->rooms($span) as $room) {
            $file = $key . PagePath::SUFFIX;
            $this->files->rename($room . $from . $file . self::TWIN, $room . $to . $file . self::TWIN);
            $moved = $this->files->rename($room . $from . $file, $room . $to . $file) || $moved;
        }

        return $moved;
    }

    /** @param list<string> $states */
    private function remove(string $key, StaleSpan $span, array $states): void
    {
        foreach ($this->rooms($span) as $room) {
            foreach ($states as $state) {
                $this->files->unlink($room . $state . $key . PagePath::SUFFIX);
                $this->files->unlink($room . $state . $key . PagePath::SUFFIX . self::TWIN);
            }
        }
    }

    /** @return list<string> what nginx looks at now, newest first */
    private function rooms(StaleSpan $span): array
    {
        $bucket = $span->bucket($this->now());

        return array_map(fn(int $back): string => $this->link($span, $bucket, $back), range(0, $span->count() - 1));
    }

    private function link(StaleSpan $span, int $bucket, int $back): string
    {
        return \sprintf('%s/stale/%d/%d/%d', $this->directory, $span->seconds, $bucket, $back);
    }

    private function room(string $name): string
    {
        return $this->directory . '/stale/d/' . $name;
    }

    private function aside(): string
    {
        return $this->directory . '/aside/' . bin2hex(random_bytes(8));
    }

    private function now(): int
    {
        return $this->clock->now()->getTimestamp();
    }
}
