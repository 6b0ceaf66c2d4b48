<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Metrics\Counters;

/**
 * The hits that nginx served, which no PHP saw: nginx writes an empty line for each, so their number is the file's
 * size.
 *
 * Only who may write the file, as a rule root, can empty it when it has grown. The counters have the hits then.
 *
 * @internal for Pages
 */
final readonly class HitLog
{
    public const SERIES = 'larder_page_requests_total{result="hit"}';

    private const LONGEST = 16 << 20;

    public function __construct(
        private string $path,
        private int $longest = self::LONGEST,
    ) {}

    /** @return int hits since the file was emptied; 0 if it is not there or cannot be looked at */
    public function hits(): int
    {
        clearstatcache(true, $this->path);

        return (int) @filesize($this->path);
    }

    public function moveTo(Counters $counters): void
    {
        self::count($this->take(), $counters);
    }

    /**
     * Empties a file that has grown. What nginx writes in the microseconds before that is lost, and nothing is counted
     * twice.
     *
     * @return int the hits that were in there; 0: it goes on growing
     */
    public function take(): int
    {
        $file = $this->hits() < $this->longest || !is_writable($this->path) ? false : @fopen($this->path, 'r+e');
        if ($file === false) {
            return 0;
        }
        // Of two processes that empty it, the second finds it short. nginx appends, so it goes on at the new end.
        $hits = flock($file, LOCK_EX | LOCK_NB) ? (fstat($file)['size'] ?? 0) : 0;
        $isTaken = $hits >= $this->longest && ftruncate($file, 0);
        fclose($file);

        return $isTaken ? $hits : 0;
    }

    public static function count(int $hits, Counters $counters): void
    {
        if ($hits > 0) {
            $counters->add('larder_page_requests_total', $hits, ['result' => 'hit']);
        }
    }
}
