<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Cache\Entry;
use Larder\NearStore;

/**
 * @internal Shows what a Larder\Cache keeps in a store as people know it: the value, its times, the names of its data.
 */
final readonly class CachedEntry
{
    private function __construct(private Entry $entry) {}

    /** @return self|null null: no Cache stored it */
    public static function of(mixed $stored): ?self
    {
        return \is_array($stored) && \is_int($stored[NearStore::MARKER] ?? null) ? new self(Entry::of($stored)) : null;
    }

    /** What a key of Larder's own stands for; null: it is an application's key. */
    public static function meaning(string $key): ?string
    {
        $rest = substr($key, 2);

        return match (true) {
            str_starts_with($key, "\0v\0") => 'version of a long name, SHA-256 ' . substr($rest, 1),
            str_starts_with($key, "\0v") => 'version of ' . $rest,
            str_starts_with($key, "\0w") => 'a writer at work',
            str_starts_with($key, "\0k") => 'value of a long key, SHA-256 ' . $rest,
            $key === "\0c" => 'counter of changes',
            str_starts_with($key, "\0") => 'a mark of Larder',
            default => null,
        };
    }

    /** @return array<string, mixed> */
    public function values(): array
    {
        return [
            'value' => $this->entry->value,
            'made' => self::second($this->entry->made),
            'fresh_until' => self::second($this->entry->freshUntil),
            'kept_until' => self::second($this->entry->keptUntil),
            'compute_seconds' => $this->entry->cost,
            'made_from' => $this->names(),
            'refused' => $this->entry->unstored,
        ];
    }

    /** @return list<string> comments of PHP, so that they and the value are PHP together */
    public function comments(): array
    {
        $end = static fn(?float $time): string => self::second($time) === null ? 'without end' : 'until '
            . gmdate('Y-m-d H:i:s\Z', (int) $time);
        $made = $this->entry->made === null ? 'made' : 'made ' . gmdate('Y-m-d H:i:s\Z', (int) $this->entry->made);
        $cost = $this->entry->cost === null ? '' : \sprintf(' in %.3g s', $this->entry->cost);
        $from = $this->names() === [] ? '' : '; from ' . implode(', ', $this->names());
        $lines = [
            \sprintf('// %s%s%s', $made, $cost, $from),
            \sprintf('// fresh %s, kept %s', $end($this->entry->freshUntil), $end($this->entry->keptUntil)),
        ];

        return $this->entry->unstored
            ? ['// the store did not take this value, so nobody waits for it', ...$lines]
            : $lines;
    }

    /** @return list<string> */
    private function names(): array
    {
        $names = [];
        foreach (array_map(strval(...), array_keys($this->entry->stamps)) as $name) {
            $name = str_starts_with($name, "\0v") ? substr($name, 2) : $name;
            if ($name !== '' && $name[0] !== "\0") {
                $names[] = $name;
            }
        }
        sort($names);

        return $names;
    }

    private static function second(?float $time): ?float
    {
        return $time === null || $time === PHP_FLOAT_MAX ? null : $time;
    }
}
