<?php

declare(strict_types=1);

namespace Larder\Row;

use Closure;
use Larder\Answer;
use Larder\Exception\UnknownName;
use Larder\Exception\UnstorableValue;
use Larder\NearStore;
use Larder\Sql\Ledger\LearnedSets;
use Larder\Sql\Tracker\Profile;
use Larder\Sql\Tracker\TrackedConnection;
use Larder\Store;
use Larder\Store\BatchStore;
use Larder\Store\Operation;
use Larder\Store\TieredStore;
use PDOException;
use Psr\Log\LoggerInterface;

/**
 * @internal Looks up entries of one table in the store, and stores what was missing: Facebook's leases ("Scaling
 * Memcache at Facebook", NSDI 2013, 3.2.1), with a read that is refused while somebody changes what it reads.
 *
 * An entry is the id of the generation that it belongs to, its value, and the profile of the connection that read it.
 *
 * What is asked for are the names of Dependency by the keys of their entries. A reader reads the values of keys, by
 * their keys; its Source is null where nothing is stored, and it returns null if the source has refused.
 *
 * @phpstan-type Named array<string, string>
 * @phpstan-type Reader Closure(list<string>, Source|null): (array<string, mixed>|null)
 */
final class Lookup
{
    /** Seconds in which a process has to read what it has the lease of. */
    private const LEASE = 3.0;

    /** The store, if it is in this process's reach. */
    public readonly ?NearStore $near;

    private readonly string $generation;

    private readonly bool $leasesAtOnce;

    private readonly Profile $profile;

    private ?Generation $known = null;

    /** @var array<string, true> sets that were to be learned before */
    private array $refused = [];

    public function __construct(
        private readonly string $table,
        private readonly Store $store,
        private readonly TrackedConnection $connection,
        private readonly ?Source $source,
        private readonly Lifetimes $lifetimes,
        private readonly ?LoggerInterface $logger,
        public readonly bool $isFollowed = false,
    ) {
        $this->generation = StoredRows::generation($table);
        $this->profile = $connection->tracker()->profile();
        $this->near = $source !== null && $store instanceof NearStore ? $store : null;
        // A near store's lease is a call like any other, and a tiered store brings nothing near by a lease.
        $this->leasesAtOnce = $store instanceof BatchStore && !$store instanceof TieredStore;
    }

    /** What is known of the table; null: nothing is stored of it. */
    public function generation(): ?Generation
    {
        if ($this->source === null || $this->profile->present() === null) {
            return null;
        }

        return $this->known ??= Generation::of($this->table, $this->store->get($this->generation)) ?? $this->begin();
    }

    /**
     * @param Closure(Generation): (Named|null) $names  of what is asked for; null: it has none, so it is not stored
     * @param Reader                            $read
     * @param Named|null                        $guess  the same, where they do not depend on the table
     * @param string|null                       $part   of values that are arrays: what of them is asked for
     *
     * @return array<string, mixed>|null by the keys of entries; null: nothing can be looked up
     *
     * @throws PDOException
     */
    public function values(Closure $names, Closure $read, ?array $guess = null, ?string $part = null): ?array
    {
        if ($this->source === null) {
            return null;
        }
        $profile = $this->profile->present();
        $named = $this->known === null ? $guess : $names($this->known);
        if ($named === null) {
            $known = $this->generation();
            $named = $known === null ? null : $names($known);
        }
        if ($profile === null || $named === null) {
            return null;
        }
        [$found, $tickets] = $this->look(array_keys($named));
        if ($this->isFollowed && ($found[Heartbeat::KEY] ?? null) !== Heartbeat::BEATS) {
            $this->giveBack($tickets);

            return null;
        }
        if (!$this->isKnown($found[$this->generation] ?? null)) {
            $this->known = Generation::of($this->table, $found[$this->generation] ?? null) ?? $this->begin();
            $again = $this->known === null ? null : $names($this->known);
            if ($again !== $named) {
                $this->giveBack($tickets);
                if ($again === null) {
                    return null;
                }
                $named = $again;
                [$found, $tickets] = $this->look(array_keys($named));
            }
        }
        $values = $this->valid($found, array_keys($named), $profile, $part);
        if (\count($values) === \count($named)) {
            return $values;
        }
        $missing = array_diff_key($named, $values);

        return $values + $this->make($missing, $read, array_intersect_key($tickets, $missing), $part);
    }

    /**
     * One row by its number, where values() would spend more on lists of one than on the rest. It takes the same steps.
     *
     * @param Closure(Generation, Source|null): (array<string, mixed>|false|null) $read null: the source has refused
     *
     * @return array<string, mixed>|false|null false: there is none; null: it is for values()
     *
     * @throws PDOException
     */
    public function number(string $key, Closure $read): array|false|null
    {
        $known = $this->known;
        if ($known === null || !$known->isNumbered || $this->isFollowed
            || ($this->near === null && !$this->leasesAtOnce) || $this->profile->present() === null) {
            return null;
        }
        [$generation, $answer] = $this->both($key);
        $lease = $answer->lease ?? 0;
        if (!$this->isKnown($generation)) {
            $this->giveBack([$key => $answer]);

            return null;
        }
        $profile = $this->asked();
        if ($lease === 0) {
            $entry = $profile !== null && \is_array($answer->value) && $answer->hit ? $answer->value : [];

            /** @var array<string, mixed>|false|null */
            return ($entry[0] ?? null) === $known->id && ($entry[2] ?? null) === $profile ? $entry[1] ?? null : null;
        }
        $row = null;
        try {
            $row = $profile === null ? null : $read($known, $this->source);
        } catch (PDOException $exception) {
            $this->warn($exception);
        } finally {
            if ($row === null) {
                $this->store->release($key, $lease);
            }
        }
        if ($row === null) {
            return $read($known, null);
        }
        try {
            if (self::isStorable($row)) {
                $this->store->set($key, [$known->id, $row, $profile], $this->lifetimes->of($row), $lease);
            } else {
                $this->store->release($key, $lease);
            }
        } catch (UnstorableValue) {
            $this->store->release($key, $lease);
        }

        return $row;
    }

    /**
     * As number(), of any number of rows: what is there in one trip, and what is missing as values() makes it.
     *
     * @param non-empty-array<int, string> $names of entries, by number
     * @param Reader                       $read
     *
     * @return array<int, array<string, mixed>|false>|null by number; null: they are for values()
     *
     * @throws PDOException
     */
    public function numbers(array $names, Closure $read): ?array
    {
        $known = $this->known;
        $profile = $this->isFollowed ? null : $this->profile->present();
        if ($known === null || !$known->isNumbered || $profile === null || $this->source === null) {
            return null;
        }
        $found = $this->store->getMultiple([$this->generation, ...array_values($names)]);
        if (!$this->isKnown($found[$this->generation] ?? null)) {
            return null;
        }
        $rows = $missing = [];
        foreach ($names as $number => $name) {
            $entry = $found[$name] ?? null;
            if (\is_array($entry) && ($entry[0] ?? null) === $known->id && ($entry[2] ?? null) === $profile) {
                $rows[$number] = $entry[1];
            } else {
                $rows[$number] = false;
                $missing[$name] = $name;
            }
        }
        $made = $missing === [] ? [] : $this->make($missing, $read, [], null);
        foreach ($made === [] ? [] : $names as $number => $name) {
            if (isset($missing[$name])) {
                $rows[$number] = $made[$name] ?? false;
            }
        }

        /** @var array<int, array<string, mixed>|false> */
        return $rows;
    }

    /** @return array{mixed, Answer} the generation that is stored, and the value of a key or its lease */
    private function both(string $key): array
    {
        if ($this->near !== null) {
            return [$this->near->get($this->generation), $this->near->getOrLease($key, self::LEASE)];
        }
        [$generation, $answer] = Operation::run(
            $this->store,
            [Operation::read($this->generation), Operation::getOrLease($key, self::LEASE)],
        );

        return [$generation->value, $answer];
    }

    /**
     * What the store has, and would be handed out.
     *
     * @param Closure(Generation): array<int|string, string> $names of entries, by what is asked for
     *
     * @return array<int|string, mixed> values by what is asked for, of those that are there
     */
    public function stored(Closure $names): array
    {
        $profile = $this->profile->asked();
        $generation = Generation::of($this->table, $this->store->get($this->generation));
        if ($this->source === null || $profile === null || $generation === null) {
            return [];
        }
        $this->known = $generation;
        $named = $names($generation);
        $found = $this->store->getMultiple(array_values($named));
        $valid = $this->valid($found, array_values($named), $profile, null);

        return array_map(
            static fn(string $name): mixed => $valid[$name],
            array_filter($named, static fn(string $name): bool => \array_key_exists($name, $valid)),
        );
    }

    /**
     * Whether writers name these column sets. If they do not, they may learn it.
     *
     * @param list<non-empty-list<string>> $sets
     */
    public function knows(array $sets): bool
    {
        return $this->generation() !== null && ($this->unknown($sets) === [] || $this->learns($sets));
    }

    /**
     * Learns column sets.
     *
     * @param list<non-empty-list<string>> $sets
     *
     * @return bool whether all are known now, and were not before
     */
    public function learns(array $sets): bool
    {
        $unknown = $this->generation() === null ? [] : $this->unknown($sets);
        $text = serialize($unknown);
        if ($unknown === [] || isset($this->refused[$text])) {
            return false;
        }
        $this->refused[$text] = true;
        (new LearnedSets($this->connection->tracker()))->add([$this->table => $unknown]);
        $this->connection->tracker()->schema()->expire();
        $answer = $this->store->read($this->generation);
        $known = Generation::of($this->table, $answer->value);
        $table = $this->connection->registry()->find($this->table);
        if ($known === null || $table === null) {
            $this->known = null;

            return false;
        }
        $this->known = $known->with($table);
        $this->store->cas($this->generation, $this->known->stored(), $answer->version);

        return $this->unknown($sets) === [];
    }

    /**
     * @param list<non-empty-list<string>> $sets
     *
     * @return list<non-empty-list<string>>
     */
    private function unknown(array $sets): array
    {
        $table = $this->known?->table;

        return array_values(array_filter(
            $sets,
            static fn(array $set): bool => $table !== null && $set !== [$table->key]
                && !\in_array($set, $table->sets, true),
        ));
    }

    /** Begins a generation, unless the table is closed; null: nothing is stored of it. */
    private function begin(): ?Generation
    {
        if ($this->asked() === null) {
            return null;
        }
        $answer = $this->store->getOrLease($this->generation, self::LEASE);
        if ($answer->hit || ($answer->lease ?? 0) === 0) {
            return Generation::of($this->table, $answer->value);
        }
        try {
            // What is known of the schema may be from before a change that ended the last generation.
            $this->connection->tracker()->schema()->expire();
            $table = $this->source?->isLedgered() === true ? $this->connection->registry()->find($this->table) : null;
            $failure = $table === null ? $this->connection->tracker()->schema()->failure() : null;
            if ($failure !== null) {
                throw $failure;
            }
        } catch (PDOException $exception) {
            $this->store->release($this->generation, (int) $answer->lease);
            $this->warn($exception);

            return null;
        }
        if ($table !== null && $table->name !== $this->table) {
            // Writers name it so.
            $this->store->release($this->generation, (int) $answer->lease);
            throw UnknownName::of('table', $this->table, [$table->name]);
        }
        if ($table === null) {
            $this->store->release($this->generation, (int) $answer->lease);
            $this->logger?->warning(
                'Rows of {table} are not stored: it is no ordinary table of a database that has a ledger. Call'
                    . ' SqlLedger::deploy(), or `larder deploy`.',
                ['table' => $this->table],
            );

            return null;
        }
        $generation = Generation::begin($table);
        $this->store->set($this->generation, $generation->stored(), lease: $answer->lease);

        return Generation::of($this->table, $this->store->get($this->generation));
    }

    /** Whether a generation is the one that is known. */
    private function isKnown(mixed $stored): bool
    {
        return $this->known !== null && \is_array($stored) && ($stored['id'] ?? null) === $this->known->id
            && \is_array($stored['sets'] ?? null) && \count($stored['sets']) <= \count($this->known->table->sets);
    }

    /**
     * @param list<string> $keys
     *
     * @return array{array<array-key, mixed>, array<string, Answer>} what is stored; answers with leases, if any
     */
    private function look(array $keys): array
    {
        if (!$this->leasesAtOnce || \count($keys) !== 1) {
            return [$this->store->getMultiple([$this->generation, ...array_values($this->heart()), ...$keys]), []];
        }
        [$key] = $keys;
        $answers = Operation::run($this->store, [
            $this->generation => Operation::read($this->generation),
            ...array_map(Operation::read(...), $this->heart()),
            $key => Operation::getOrLease($key, self::LEASE),
        ]);
        $found = [];
        foreach ($answers as $name => $answer) {
            if ($answer->hit) {
                $found[$name] = $answer->value;
            }
        }

        return [$found, [$key => $answers[$key]]];
    }

    /** @return array<string, string> the key by which a follower's sign is asked for, if one is needed */
    private function heart(): array
    {
        return $this->isFollowed ? [Heartbeat::KEY => Heartbeat::KEY] : [];
    }

    /**
     * @param array<array-key, mixed> $found
     * @param list<string>            $keys
     *
     * @return array<string, mixed> values of those that count
     */
    private function valid(array $found, array $keys, string $profile, ?string $part): array
    {
        $id = $this->known?->id;
        $values = [];
        foreach ($id === null ? [] : $keys as $key) {
            $entry = $found[$key] ?? null;
            if (!\is_array($entry) || ($entry[0] ?? null) !== $id || ($entry[2] ?? null) !== $profile) {
                continue;
            }
            $value = $entry[1] ?? null;
            if ($part === null) {
                $values[$key] = $value;
            } elseif (\is_array($value) && isset($value[$part])) {
                $values[$key] = $value[$part];
            }
        }

        return $values;
    }

    /**
     * Reads what is missing, and stores what nobody changes meanwhile.
     *
     * @param Named                 $missing
     * @param Reader                $read
     * @param array<string, Answer> $answers
     *
     * @return array<string, mixed>
     */
    private function make(array $missing, Closure $read, array $answers, ?string $part): array
    {
        $keys = array_keys($missing);
        $profile = $this->asked();
        $id = $this->known?->id;
        if ($profile === null || $id === null) {
            $this->giveBack($answers);

            return $read($keys, null) ?? [];
        }
        $answers = $answers === [] ? Operation::run($this->store, array_combine($keys, array_map(
            static fn(string $key): Operation => Operation::getOrLease($key, self::LEASE),
            $keys,
        ))) : $answers;
        $stored = array_map(static fn(Answer $answer): mixed => $answer->value, $answers);
        // Another one may have stored some meanwhile.
        $values = $this->valid($stored, $keys, $profile, $part);
        $keys = array_keys(array_diff_key($missing, $values));
        $tickets = [];
        foreach ($keys as $key) {
            $tickets[$key] = Ticket::of($key, $answers[$key]);
        }
        $tickets = array_filter($tickets);
        $made = null;
        try {
            $made = $keys === [] || $tickets === [] ? null : $read($keys, $this->source);
        } catch (PDOException $exception) {
            $this->warn($exception);
        } finally {
            if ($made === null) {
                $this->run(array_map(static fn(Ticket $ticket): ?Operation => $ticket->release(), $tickets));
            }
        }
        if ($made === null) {
            return $values + ($keys === [] ? [] : $read($keys, null) ?? []);
        }
        $writes = [];
        foreach ($tickets as $key => $ticket) {
            $value = $made[$key] ?? false;
            if (self::isStorable($value)) {
                $whole = $part === null ? $value : [$part => $value] + $this->parts($stored[$key] ?? null, $profile);
                $writes[$key] = $ticket->store([$id, $whole, $profile], $this->lifetimes->of($value));
            } else {
                $writes[$key] = $ticket->release();
            }
        }
        $this->run($writes);

        return $values + $made;
    }

    /** @return array<array-key, mixed> the other parts of an entry that counts */
    private function parts(mixed $entry, string $profile): array
    {
        $value = \is_array($entry) ? $entry[1] ?? null : null;

        return \is_array($entry) && \is_array($value)
            && ($entry[0] ?? null) === $this->known?->id && ($entry[2] ?? null) === $profile ? $value : [];
    }

    /** The profile of the session; null: nothing is stored of it, or it could not be asked for. */
    private function asked(): ?string
    {
        try {
            return $this->profile->asked();
        } catch (PDOException $exception) {
            $this->warn($exception);

            return null;
        }
    }

    /** The rows may be had all the same. If not, the plain SELECT says so. */
    private function warn(PDOException $exception): void
    {
        $this->logger?->warning(
            'Rows of {table} are not stored, since a statement of Larder\'s failed: {why}',
            ['table' => $this->table, 'why' => $exception->getMessage(), 'exception' => $exception],
        );
    }

    /** PDO gives a PostgreSQL bytea as a stream. */
    private static function isStorable(mixed $value): bool
    {
        foreach (\is_array($value) ? $value : [] as $one) {
            if (\is_resource($one) || (\is_array($one) && !self::isStorable($one))) {
                return false;
            }
        }

        return true;
    }

    /** @param array<string, Answer> $answers */
    private function giveBack(array $answers): void
    {
        $releases = [];
        foreach ($answers as $key => $answer) {
            $releases[$key] = Ticket::of($key, $answer)?->release();
        }
        $this->run($releases);
    }

    /** @param array<string, Operation<\Larder\Outcome|\Larder\Exception\UnstorableValue>|null> $operations */
    private function run(array $operations): void
    {
        $operations = array_filter($operations);
        if ($operations !== []) {
            Operation::run($this->store, $operations);
        }
    }
}
