<?php

declare(strict_types=1);

namespace Larder\Dashboard;

use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\TieredStore;

/**
 * What the shared memory of this process holds, by the beginnings of its keys.
 *
 * @internal
 *
 * @phpstan-type Group array{prefix: string, entries: int, bytes: int}
 */
final readonly class Values
{
    /** Entries that one answer looks at: a walk of more would take too long for a page. */
    private const WALKED = 50_000;

    private const STEP = 1000;

    /** Keys that a search gives. */
    private const KEYS = 100;

    /** Groups that are told; the others are one together. */
    private const GROUPS = 20;

    public function __construct(private ?SharedMemory $memory) {}

    /** The memory of a site's store; of a site that names none, that of this process. */
    public static function of(?Store $store): self
    {
        $near = $store instanceof TieredStore ? $store->near() : $store;

        return new self(match (true) {
            $near instanceof SharedMemory => $near,
            $near === null && class_exists(SharedMemory::class, false) => new SharedMemory(),
            default => null,
        });
    }

    /** @return array<string, mixed>|null null: there is no shared memory */
    public function segment(): ?array
    {
        if ($this->memory === null) {
            return null;
        }
        $wanted = [
            'name', 'namespace', 'mode', 'size', 'bytesUsed', 'bytesLimbo', 'bytesTotal', 'entries', 'evictions',
            'expirations', 'refusedLarge', 'refusedFull', 'largest',
        ];

        return array_intersect_key($this->memory->info(), array_flip($wanted));
    }

    /** @return array{groups: list<Group>, entries: int, all: bool} all: whether each entry was looked at */
    public function groups(): array
    {
        $groups = [];
        [$entries, $all] = $this->walk(static function (array $entry) use (&$groups): bool {
            $prefix = self::prefix($entry['key']);
            $groups[$prefix]['prefix'] = $prefix;
            $groups[$prefix]['entries'] = 1 + ($groups[$prefix]['entries'] ?? 0);
            $groups[$prefix]['bytes'] = $entry['bytes'] + ($groups[$prefix]['bytes'] ?? 0);

            return true;
        });
        /** @var array<array-key, Group> $groups */
        usort($groups, static fn(array $one, array $other): int => $other['bytes'] <=> $one['bytes']);
        $rest = \array_slice($groups, self::GROUPS);
        $groups = \array_slice($groups, 0, self::GROUPS);
        if ($rest !== []) {
            $groups[] = [
                'prefix' => \sprintf('%d others', \count($rest)),
                'entries' => array_sum(array_column($rest, 'entries')),
                'bytes' => array_sum(array_column($rest, 'bytes')),
            ];
        }

        return ['groups' => $groups, 'entries' => $entries, 'all' => $all];
    }

    /** @return array{keys: list<array{key: string, type: string, bytes: int, expires: float|null}>, all: bool} */
    public function keys(string $like): array
    {
        $found = [];
        [, $all] = $this->walk(static function (array $entry) use (&$found, $like): bool {
            // Those that begin so are Larder's own.
            if (!str_starts_with($entry['key'], "\0") && ($like === '' || str_contains($entry['key'], $like))) {
                unset($entry['version']);
                $found[$entry['key']] = $entry;
            }

            return \count($found) < self::KEYS;
        });
        /** @var array<array-key, array{key: string, type: string, bytes: int, expires: float|null}> $found */
        ksort($found, SORT_STRING);

        return ['keys' => array_values($found), 'all' => $all];
    }

    /**
     * @param callable(array{key: string, type: string, bytes: int, expires: float|null, version: int}): bool $look
     *     false: it has seen enough
     *
     * @return array{int, bool} how many entries it saw, and whether these are all
     */
    private function walk(callable $look): array
    {
        $seen = 0;
        for ($cursor = 0; $this->memory !== null && $cursor !== null; $cursor = $part['next']) {
            $part = $this->memory->entries($cursor, self::STEP);
            foreach ($part['entries'] as $entry) {
                ++$seen;
                if (!$look($entry)) {
                    return [$seen, false];
                }
            }
            if ($seen >= self::WALKED) {
                return [$seen, $part['next'] === null];
            }
        }

        return [$seen, true];
    }

    private static function prefix(string $key): string
    {
        if (str_starts_with($key, "\0")) {
            return 'versions and marks of Larder';
        }

        // Up to a sign that separates, or to the first number.
        return preg_match('~^(?:[^:/.|?#\d]{1,40}[:/.|?#]|[^:/.|?#\d]{2,40}(?=\d))~', $key, $found) === 1
            ? $found[0] . '…'
            : 'all others';
    }
}
