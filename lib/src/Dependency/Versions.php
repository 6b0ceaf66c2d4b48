<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Exception\ChangeFailed;
use Larder\Exception\UnknownName;
use Throwable;

/**
 * Which version the data has that values are made from: what makes a stored value old.
 *
 * A value carries stamps: each name that it was made from, with the version that this name had before the data was read. It is good
 * as long as all of them are the present ones. A version that is not there is never equal to any: a missing version is a miss.
 */
interface Versions
{
    /**
     * Runs $compute and gives what it made with the stamps of what it was made from: $names, those told by reads() meanwhile, and those
     * of every value that it took from a cache or had made in turn.
     *
     * @template T
     *
     * @param Closure(): T            $compute
     * @param list<string|Dependency> $names   known beforehand; their stamps are taken before $compute runs
     * @param float|null              $life    seconds that the value may be kept; null: without end
     *
     * @return ComputedValue<T>
     *
     * @throws UnknownName
     * @throws Throwable   what $compute throws
     */
    public function make(Closure $compute, array $names, ?float $life): ComputedValue;

    /**
     * Tells that what is being made now is also made from this data.
     *
     * @throws UnknownName
     */
    public function reads(string|Dependency ...$names): void;

    /**
     * Tells that what is being made now, a value or a page, contains a stored value.
     *
     * @param array<string, int> $stamps the value's; none: only its ttl bounds its age
     * @param float              $until  Unix time at which its ttl ends
     */
    public function used(array $stamps, float $until): void;

    /** Whether used() must be told of values without stamps too, since they may go into a page. */
    public function watchesAll(): bool;

    /**
     * Whether the values with these stamps were made from the data as it is now.
     *
     * @param array<array-key, array<string, int>> $stamped stamps by whatever key
     *
     * @return array<array-key, bool> by the same keys
     */
    public function hold(array $stamped): array;

    /**
     * Runs a writer's transaction so that, from the moment its COMMIT returns, nothing is served that was made from the old data.
     *
     * @template T
     *
     * @param list<string|Dependency> $names what it changes, as far as that is known beforehand
     * @param Closure(Change): T      $write within the transaction; may tell the Change more
     *
     * @return T
     *
     * @throws ChangeFailed after a rollback: it could not be made known
     * @throws Throwable    after a rollback; what $write throws
     */
    public function change(array $names, Closure $write): mixed;
}
