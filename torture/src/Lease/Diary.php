<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

use RuntimeException;

/**
 * What happened, a line each, in a file that all processes append to. A line is one write(2), so a process that is killed has
 * written it or not.
 */
final class Diary
{
    /** @var resource */
    private $file;

    /** What is read so far, up to the last whole line. */
    private int $read = 0;

    public function __construct(private readonly string $path)
    {
        $file = fopen($path, 'a');
        $this->file = $file !== false ? $file : throw new RuntimeException("Cannot write $path.");
        stream_set_write_buffer($file, 0);
    }

    public function note(Kind $kind, int $key = 0, int $generation = 0, int $life = 0, string $word = '', float $seconds = 0.0, int $since = 0): Line
    {
        $line = new Line($kind, (int) hrtime(true), microtime(true), $key, $generation, $life, substr($word, 0, 300), $seconds, $since);
        fwrite($this->file, $line->line());

        return $line;
    }

    /** @return list<Line> written since the last call */
    public function news(): array
    {
        $text = (string) file_get_contents($this->path, false, null, $this->read);
        $whole = strrpos($text, "\n");
        if ($whole === false) {
            return [];
        }
        $this->read += $whole + 1;

        return array_values(array_filter(array_map(Line::parse(...), explode("\n", substr($text, 0, $whole)))));
    }

    /** @return list<Line> */
    public function all(): array
    {
        return array_values(array_filter(array_map(Line::parse(...), explode("\n", (string) file_get_contents($this->path)))));
    }
}
