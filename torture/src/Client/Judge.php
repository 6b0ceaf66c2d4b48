<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Larder\Testbed\Process\Findings;
use Larder\Outcome;

/**
 * Knows what may be stored under each key: what was acknowledged last, or was begun since and may have been done. What was refused
 * may not: that outcome says that nothing changed.
 */
final class Judge
{
    /** Of a log: generation, then a checksum. */
    private const TOKEN = 20;

    /** @var array<int, array<int, true>> generations by key */
    private array $refused = [];

    /** @var array<int, list<int>> what must be in a log, where its last beginning was acknowledged, by key */
    private array $logged = [];

    public function __construct(
        public readonly Notes $notes,
        public readonly Keys $keys,
        public readonly int $seat,
        public readonly Findings $findings,
    ) {}

    /** @param int $from what was acknowledged before the call */
    public function value(int $key, mixed $value, int $from, string $by): void
    {
        $this->notes->add($this->seat, Note::Hits);
        $sealed = Sealed::of($value);
        if ($sealed === null || $sealed->key !== $key) {
            $this->wrong($by, $key, $sealed === null ? 'damaged: ' . self::quote($value) : "is of key {$sealed->key}");
        } elseif ($sealed->generation < $from || $sealed->generation > $this->notes->begun($key) || isset($this->refused[$key][$sealed->generation])) {
            $this->wrong($by, $key, "generation {$sealed->generation}" . (isset($this->refused[$key][$sealed->generation]) ? ', which was refused' : '') . ", but $from was acknowledged and {$this->notes->begun($key)} begun");
        }
    }

    /** @param int $number of a leased key; any generation may be there */
    public function leased(int $number, mixed $value, string $by): void
    {
        $this->notes->add($this->seat, Note::Hits);
        if (Sealed::of($value)?->key !== $number) {
            $this->wrong($by, $number, 'leased: ' . self::quote($value));
        }
    }

    public function outcome(int $key, int $generation, mixed $outcome, string $by): void
    {
        $this->tell($outcome, $key, $by);
        if ($outcome === Outcome::Done || ($outcome === Outcome::NotFound && $by === 'delete')) {
            $this->notes->acknowledge($key, $generation);
        } elseif ($outcome === Outcome::Refused) {
            $this->refused[$key] = \array_slice($this->refused[$key] ?? [], -20, null, true) + [$generation => true];
        }
    }

    /** @param int $from counted and acknowledged before the call */
    public function counted(int $place, mixed $given, int $from, string $by): void
    {
        $this->tell(\is_int($given) ? Outcome::Done : $given, $place, $by);
        if (\is_int($given)) {
            $count = abs($given);
            if ($count <= $from || $count > $this->notes->begun($place)) {
                $this->wrong($by, $place, "gave $given, but $from were acknowledged and {$this->notes->begun($place)} begun");
            }
            $this->notes->acknowledge($place, $this->notes->acknowledged($place) + 1);
        } elseif ($given === Outcome::Refused) {
            $this->notes->take($place);
        }
    }

    public static function token(int $key, int $generation): string
    {
        return \sprintf('%08x%s', $generation, substr(hash('xxh3', "$key $generation"), 0, self::TOKEN - 8));
    }

    /** A log was begun anew, or a token was put to it. */
    public function logged(int $key, int $generation, mixed $outcome, string $by): void
    {
        $this->outcome($key, $generation, $outcome, $by);
        if ($by === 'set' && $outcome === Outcome::Done) {
            $this->logged[$key] = [$generation];
        } elseif ($by === 'set' && $outcome !== Outcome::Refused) {
            unset($this->logged[$key]);
        } elseif ($outcome === Outcome::Done && isset($this->logged[$key])) {
            $this->logged[$key][] = $generation;
        }
    }

    /** How many tokens a log has at least; 0: it is not known. */
    public function lengthOfLog(int $key): int
    {
        return \count($this->logged[$key] ?? []);
    }

    public function log(int $key, mixed $value, int $from, string $by): void
    {
        $this->notes->add($this->seat, Note::Hits);
        $generations = [];
        foreach (\is_string($value) && $value !== '' ? str_split($value, self::TOKEN) : [''] as $token) {
            $generation = \intval(substr($token, 0, 8), 16);
            if ($token !== self::token($key, $generation)) {
                $this->wrong($by, $key, 'a damaged log: ' . self::quote($value));

                return;
            }
            $generations[] = $generation;
        }
        $ordered = array_unique($generations);
        $key % 2 === 0 ? sort($ordered) : rsort($ordered);
        $last = max($generations);
        $lost = array_diff($this->logged[$key] ?? [], $generations);
        $refused = array_intersect($generations, array_keys($this->refused[$key] ?? []));
        if ($ordered !== $generations || $last < $from || $last > $this->notes->begun($key) || $lost !== [] || $refused !== []) {
            $this->wrong($by, $key, \sprintf('a log of %s; %d was acknowledged, %d begun, lost %s, refused %s', implode(',', $generations), $from, $this->notes->begun($key), implode(',', $lost), implode(',', $refused)));
        }
    }

    /**
     * @param list<array-key> $given
     * @param list<array-key> $asked
     */
    public function inOrder(array $given, array $asked): void
    {
        if ($given !== array_values(array_intersect($asked, $given))) {
            $this->wrong('getMultiple', 0, 'gave its keys in another order');
        }
    }

    public function wrong(string $by, int $key, string $what): void
    {
        $this->findings->add("$by, key $key: $what");
    }

    /** Counts it. */
    public function tell(mixed $outcome, int $key, string $by): void
    {
        $this->notes->add($this->seat, Note::Writes);
        if (!$outcome instanceof Outcome) {
            $this->wrong($by, $key, 'gave ' . self::quote($outcome));

            return;
        }
        match ($outcome) {
            Outcome::Done => $this->notes->add($this->seat, Note::Done),
            Outcome::Unknown => $this->notes->add($this->seat, Note::Unknown),
            Outcome::Refused => $this->notes->add($this->seat, Note::Refused),
            default => null,
        };
    }

    private static function quote(mixed $value): string
    {
        return \is_string($value) ? \sprintf('%d bytes "%s"', \strlen($value), addcslashes(substr($value, 0, 120), "\0..\37\177..\377")) : get_debug_type($value) . ' ' . substr((string) json_encode($value, JSON_PARTIAL_OUTPUT_ON_ERROR), 0, 120);
    }
}
