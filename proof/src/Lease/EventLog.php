<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

use RuntimeException;

/**
 * What happened: a file to which every process appends entries of a line.
 *
 * An entry is one write(2), so that a killed process has written it whole or not at all.
 */
final class EventLog
{
    /** Bytes of a word. */
    private const LONGEST = 300;

    /** @var resource */
    private $file;

    /** Bytes that were read so far, up to the end of a line. */
    private int $read = 0;

    public function __construct(private readonly string $path)
    {
        $file = fopen($path, 'a');
        $this->file = $file !== false ? $file : throw new RuntimeException("Cannot write $path.");
        stream_set_write_buffer($file, 0);
    }

    public function note(
        EventKind $kind,
        int $key = 0,
        int $generation = 0,
        int $life = 0,
        string $word = '',
        float $seconds = 0.0,
        int $since = 0,
    ): LogEntry {
        [$moment, $time] = [(int) hrtime(true), microtime(true)];
        $word = substr($word, 0, self::LONGEST);
        $entry = new LogEntry($kind, $moment, $time, $key, $generation, $life, $word, $seconds, $since);
        fwrite($this->file, $entry->text());

        return $entry;
    }

    /** @return list<LogEntry> written since the last call */
    public function news(): array
    {
        $text = (string) file_get_contents($this->path, false, null, $this->read);
        $whole = strrpos($text, "\n");
        if ($whole === false) {
            return [];
        }
        $this->read += $whole + 1;

        return self::parse(substr($text, 0, $whole));
    }

    /** @return list<LogEntry> */
    public function all(): array
    {
        return self::parse((string) file_get_contents($this->path));
    }

    /** @return list<LogEntry> */
    private static function parse(string $text): array
    {
        return array_values(array_filter(array_map(LogEntry::parse(...), explode("\n", $text))));
    }
}
