<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Exception\ChangeFailed;
use Larder\Exception\UnknownName;
use Throwable;

/**
 * The versions of the data that values are made from. They decide whether a stored value is old.
 *
 * A value carries stamps: each name that it was made from, with the version that the name had before the data was read.
 * The value is good as long as these are the present versions. A missing version equals none, so it is a miss.
 */
interface Versions
{
    /**
     * Runs $compute and returns its value with the stamps of what it was made from: $names, those that reads() added
     * meanwhile, and those of every value that it took from a cache or computed in turn.
     *
     * @internal
     *
     * @template T
     *
     * @param Closure(): T            $compute
     * @param list<string|Name> $names   the names known before; their stamps are read before $compute runs
     * @param float|null              $life    seconds that the value may be kept; null: for ever
     *
     * @return ComputedValue<T>
     *
     * @throws UnknownName
     * @throws Throwable   what $compute throws
     */
    public function make(Closure $compute, array $names, ?float $life): ComputedValue;

    /**
     * Whether a value made now would certainly not be stored: this process is in a transaction or a change, or one of
     * the names is being changed. So nobody should wait for it.
     *
     * @internal
     *
     * @param list<string|Name> $names that it is made from, as far as is known; none: asks no store
     *
     * @throws UnknownName
     */
    public function wouldRefuse(array $names): bool;

    /**
     * Notes that the value or page being made may not be stored, since nobody knows what a part of it was made from.
     *
     * @internal
     */
    public function refuse(string $reason): void;

    /**
     * Notes that the value being made is also made from this data.
     *
     * @throws UnknownName
     */
    public function reads(string|Name ...$names): void;

    /**
     * @internal Notes that the value or page being made contains a stored value.
     *
     * @param array<string, int> $stamps of the stored value; none: only its ttl bounds its age
     * @param float              $until  Unix time at which its ttl ends
     */
    public function used(array $stamps, float $until): void;

    /** @internal Whether used() must be called for values without stamps too, since they may go into a page. */
    public function watchesAll(): bool;

    /**
     * @internal The keys that the stamps of these names have.
     *
     * @param list<string|Name> $names
     *
     * @return list<string>
     *
     * @throws UnknownName
     */
    public function stampKeys(array $names): array;

    /**
     * @internal
     *
     * @param array<string, int> $stamps
     *
     * @return list<string> the names of the data, as far as stamps tell them
     */
    public function names(array $stamps): array;

    /**
     * @internal Whether the values with these stamps were made from the present data.
     *
     * @param array<array-key, array<string, int>> $stamped stamps by any key
     *
     * @return array<array-key, bool> by the same keys
     */
    public function hold(array $stamped): array;

    /**
     * Runs a writer's transaction. After its COMMIT has returned, nothing is served that was made from the old data.
     *
     * @template T
     *
     * @param list<string|Name> $names what it changes, if that is known before
     * @param Closure(Change): T      $write runs within the transaction and may announce more to the Change
     *
     * @return T
     *
     * @throws ChangeFailed after a rollback, if the change could not be made known
     * @throws Throwable    after a rollback; what $write throws
     */
    public function change(array $names, Closure $write): mixed;
}
