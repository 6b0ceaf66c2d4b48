<?php

declare(strict_types=1);

namespace Larder\Edge;

/** @internal The keys that an edge could not be told to drop, in a file of this host. The next purge has them too. */
final readonly class UnfinishedPurges
{
    /** Bytes. Of more, nothing is known but that there were too many. */
    private const MOST = 1 << 20;

    public function __construct(private string $file) {}

    /**
     * @param list<string> $keys
     *
     * @return bool false: they could not be noted
     */
    public function note(array $keys): bool
    {
        return @file_put_contents($this->file, implode("\n", $keys) . "\n", FILE_APPEND | LOCK_EX) !== false;
    }

    public function areThere(): bool
    {
        clearstatcache(true, $this->file);

        return is_file($this->file);
    }

    /**
     * Takes them all. Who cannot purge them notes them again.
     *
     * @param non-empty-list<string> $instead of more than a file is to hold
     *
     * @return list<string>
     */
    public function take(array $instead): array
    {
        if (!is_file($this->file)) {
            return [];
        }
        $taken = $this->file . '.' . bin2hex(random_bytes(8));
        if (!@rename($this->file, $taken)) {
            return [];
        }
        $size = @filesize($taken);
        $text = $size !== false && $size <= self::MOST ? (string) @file_get_contents($taken) : null;
        @unlink($taken);

        return $text === null
            ? $instead
            : array_values(array_unique(array_filter(
                explode("\n", $text),
                static fn(string $key): bool => $key !== '',
            )));
    }
}
