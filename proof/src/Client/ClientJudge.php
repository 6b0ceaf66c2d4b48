<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Larder\Outcome;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Value\SealedValue;
use Larder\Testbed\Value\WrongValue;

/**
 * Knows what may be stored under each key: the generation that was acknowledged last, or one that was begun since and
 * may have been done. A refused one may not be there, since that outcome says that nothing changed.
 */
final class ClientJudge
{
    /** Bytes of a log's token: generation, then a checksum. */
    private const TOKEN = 20;

    /** Bytes of a wrong value that are shown. */
    private const QUOTED = 120;

    /** @var array<int, array<int, true>> generations by key */
    private array $refused = [];

    /** @var array<int, list<int>> generations that must be in a log, if its last beginning was acknowledged; by key */
    private array $logged = [];

    public function __construct(
        private readonly Board $board,
        public readonly ClientKeys $keys,
        public readonly int $worker,
        private readonly Findings $findings,
    ) {}

    /** @return int the next generation of the key, noted as begun */
    public function begin(int $key): int
    {
        return $this->board->add('begun', index: $key);
    }

    /** The generation that was begun last was not done for certain. */
    public function takeBack(int $key): void
    {
        $this->board->add('begun', -1, $key);
    }

    public function begun(int $key): int
    {
        return $this->board->get('begun', $key);
    }

    public function acknowledge(int $key, int $generation): void
    {
        $this->board->set('acknowledged', $generation, $key);
    }

    public function acknowledged(int $key): int
    {
        return $this->board->get('acknowledged', $key);
    }

    public function valueOf(int $key, int $generation): mixed
    {
        $sealed = new SealedValue($key, $generation);

        return $this->keys->isLong($key) ? $sealed->long() : $sealed->any();
    }

    /** @param int $from generation that was acknowledged before the call */
    public function value(int $key, mixed $value, int $from, string $by): void
    {
        $this->count(ClientCount::Hits);
        try {
            $found = SealedValue::verify($value, $key, $from, $this->begun($key));
        } catch (WrongValue $wrong) {
            $this->wrong($by, $key, $wrong->getMessage());

            return;
        }
        if (isset($this->refused[$key][$found->generation])) {
            $this->wrong($by, $key, "generation $found->generation, which was refused");
        }
    }

    /** @param int $number of a leased key, whose generation is not known */
    public function leased(int $number, mixed $value, string $by): void
    {
        $this->count(ClientCount::Hits);
        try {
            SealedValue::verify($value, $number);
        } catch (WrongValue $wrong) {
            $this->wrong($by, $number, "leased: {$wrong->getMessage()}");
        }
    }

    public function outcome(int $key, int $generation, mixed $outcome, string $by): void
    {
        $this->tell($outcome, $key, $by);
        if ($outcome === Outcome::Done || ($outcome === Outcome::NotFound && $by === 'delete')) {
            $this->acknowledge($key, $generation);
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
            if ($count <= $from || $count > $this->begun($place)) {
                $this->wrong($by, $place, "gave $given, but $from were acknowledged and {$this->begun($place)} begun");
            }
            $this->acknowledge($place, $this->acknowledged($place) + 1);
        } elseif ($given === Outcome::Refused) {
            $this->takeBack($place);
        }
    }

    public static function token(int $key, int $generation): string
    {
        return \sprintf('%08x%s', $generation, substr(hash('xxh3', "$key $generation"), 0, self::TOKEN - 8));
    }

    /** After a log was begun anew, or a token was added to it. */
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

    /** @return int tokens that a log has at least; 0: that is not known */
    public function lengthOfLog(int $key): int
    {
        return \count($this->logged[$key] ?? []);
    }

    public function log(int $key, mixed $value, int $from, string $by): void
    {
        $this->count(ClientCount::Hits);
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
        $isWithin = $last >= $from && $last <= $this->begun($key);
        if ($ordered !== $generations || !$isWithin || $lost !== [] || $refused !== []) {
            $this->wrong($by, $key, \sprintf(
                'a log of %s; %d was acknowledged, %d begun, lost %s, refused %s',
                implode(',', $generations),
                $from,
                $this->begun($key),
                implode(',', $lost),
                implode(',', $refused),
            ));
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

    /** Counts an outcome. */
    public function tell(mixed $outcome, int $key, string $by): void
    {
        $this->count(ClientCount::Writes);
        if (!$outcome instanceof Outcome) {
            $this->wrong($by, $key, 'gave ' . self::quote($outcome));

            return;
        }
        match ($outcome) {
            Outcome::Done => $this->count(ClientCount::Done),
            Outcome::Unknown => $this->count(ClientCount::Unknown),
            Outcome::Refused => $this->count(ClientCount::Refused),
            default => null,
        };
    }

    public function count(ClientCount $what, int $by = 1): void
    {
        $this->board->add($what, $by, $this->worker);
    }

    private static function quote(mixed $value): string
    {
        if (!\is_string($value)) {
            $shown = substr((string) json_encode($value, JSON_PARTIAL_OUTPUT_ON_ERROR), 0, self::QUOTED);

            return get_debug_type($value) . ' ' . $shown;
        }
        $shown = addcslashes(substr($value, 0, self::QUOTED), "\0..\37\177..\377");

        return \strlen($value) . " bytes \"$shown\"";
    }
}
