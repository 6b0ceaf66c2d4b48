<?php

declare(strict_types=1);

namespace Larder\Row;

use Larder\Answer;
use Larder\Outcome;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Store;
use Larder\Store\Operation;

/**
 * @internal Tables that change in bulk, each by a list of the writers that are between that and COMMIT, in the place of
 * its generation. The last one to leave deletes the list, and the next reader begins a generation.
 */
final readonly class ClosedTables
{
    /** How often others may come in between. */
    private const TRIES = 200;

    private const PAUSE = 500;

    /** @param float $seconds for which a dead writer's table stays closed */
    public function __construct(
        private Store $store,
        private float $seconds,
    ) {}

    /**
     * @param list<string> $keys of generations
     *
     * @return int for open()
     *
     * @throws LedgerUnavailable
     */
    public function close(array $keys): int
    {
        $writer = random_int(1, PHP_INT_MAX);
        $until = microtime(true) + $this->seconds;
        $this->change($keys, static fn(array $writers): array => [$writer => $until] + $writers);

        return $writer;
    }

    /**
     * @param list<string> $keys
     *
     * @throws LedgerUnavailable
     */
    public function open(array $keys, int $writer): void
    {
        $this->change($keys, static fn(array $writers): array => array_diff_key($writers, [$writer => true]));
    }

    /**
     * @param list<string>                                           $keys
     * @param callable(array<int, float>): array<int, float> $change of the writers by their numbers
     *
     * @throws LedgerUnavailable
     */
    private function change(array $keys, callable $change): void
    {
        for ($try = 0; $keys !== []; ++$try) {
            if ($try === self::TRIES) {
                throw LedgerUnavailable::rowsNotEnded('other writers came in between each time');
            }
            if ($try > 0) {
                usleep(random_int(1, self::PAUSE));
            }
            $writes = [];
            foreach (Operation::run($this->store, self::reads($keys)) as $key => $answer) {
                if (!$answer->answered) {
                    throw LedgerUnavailable::rowsNotEnded('the store of rows does not answer');
                }
                $writes[$key] = $this->write($key, $answer, $change(self::writers($answer->value)));
            }
            $keys = [];
            foreach (Operation::run($this->store, array_filter($writes)) as $key => $outcome) {
                if ($outcome === Outcome::Exists || $outcome === Outcome::NotFound) {
                    $keys[] = $key;
                } elseif ($outcome !== Outcome::Done) {
                    throw LedgerUnavailable::rowsNotEnded('the store of rows is full, or does not answer');
                }
            }
        }
    }

    /**
     * @param list<string> $keys
     *
     * @return array<string, Operation<Answer>>
     */
    private static function reads(array $keys): array
    {
        return array_combine($keys, array_map(Operation::read(...), $keys));
    }

    /**
     * @param array<int, float> $writers
     *
     * @return Operation<Outcome|\Larder\Exception\UnstorableValue>|null null: nothing is to be done
     */
    private function write(string $key, Answer $answer, array $writers): ?Operation
    {
        $isClosed = $writers !== [];
        $ttl = $isClosed ? $this->seconds : 0.0;

        return match (true) {
            $answer->hit => Operation::cas($key, ['closed' => $writers], $answer->version, $ttl),
            $isClosed => Operation::add($key, ['closed' => $writers], $ttl),
            default => null,
        };
    }

    /** @return array<int, float> those that may still be there */
    private static function writers(mixed $stored): array
    {
        $writers = \is_array($stored) ? $stored['closed'] ?? [] : [];
        $now = microtime(true);

        /** @var array<int, float> */
        return \is_array($writers)
            ? array_filter($writers, static fn(mixed $until): bool => \is_float($until) && $until > $now)
            : [];
    }
}
