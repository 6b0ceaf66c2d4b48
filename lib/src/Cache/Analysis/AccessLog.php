<?php

declare(strict_types=1);

namespace Larder\Cache\Analysis;

use Larder\Cache\Event;
use Larder\Cache\Observer;

/**
 * Writes what became of requests into a file, a line each, for `larder cache:analyse`.
 *
 * With $oneIn keys are chosen by a hash: of a chosen key every request is written, of another none, so that the rate of one key can be
 * told from the file. A line is one write with O_APPEND, so many processes may share a file. One that cannot be written is left
 * alone: a cache that is watched must not fail for that.
 */
final class AccessLog implements Observer
{
    /** Lines between two looks at the file's size. */
    private const LOOK = 64;

    /** @var resource|false|null null: not opened yet */
    private $file = null;

    private int $lines = 0;

    /**
     * @param positive-int $oneIn     keys of which one is watched
     * @param int          $mostBytes the file is not made much longer than that
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
        // A buffer would tear lines apart.
        stream_set_write_buffer($file, 0);

        return (fstat($file)['size'] ?? 0) >= $this->mostBytes;
    }
}
