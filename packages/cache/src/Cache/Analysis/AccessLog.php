<?php

declare(strict_types=1);

namespace Larder\Cache\Analysis;

use Larder\Cache\Event;
use Larder\Cache\Observer;

/**
 * Writes what became of each request into a file, one line per request, for `larder cache:analyse`.
 *
 * $oneIn chooses keys by a hash: every request for a chosen key is written, and none for any other, so the file shows
 * how often one key is asked for. A line is one write with O_APPEND, so several processes may share a file. A line that
 * cannot be written is dropped: watching a cache must not make it fail.
 */
final class AccessLog implements Observer
{
    /** Lines between two looks at the file's size. */
    private const LOOK = 64;

    /** @var resource|false|null null: not opened yet */
    private $file = null;

    private int $lines = 0;

    /**
     * @param positive-int $oneIn     of this many keys one is watched
     * @param int          $mostBytes the file does not grow much longer than this
     */
    public function __construct(
        private readonly string $path,
        private readonly int $oneIn = 1,
        private readonly int $mostBytes = 64 << 20,
    ) {}

    public function saw(string $key, Event $event, float $now, ?float $cost, ?float $ttl, float $grace): void
    {
        if ($this->oneIn > 1 && crc32($key) % $this->oneIn !== 0) {
            return;
        }
        $this->file ??= @fopen($this->path, 'a');
        if ($this->file === false) {
            return;
        }
        if ($this->lines++ % self::LOOK === 0 && $this->isFull($this->file)) {
            fclose($this->file);
            $this->file = false;

            return;
        }
        @fwrite($this->file, (new Sighting($now, $event, max(1, $this->oneIn), $cost, $ttl, $grace, $key))->line());
    }

    /** @param resource $file */
    private function isFull($file): bool
    {
        // A buffer would split lines.
        stream_set_write_buffer($file, 0);

        return (fstat($file)['size'] ?? 0) >= $this->mostBytes;
    }
}
