<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Exception\UnknownName;
use Larder\Store;
use Throwable;

/** Versions that may lie in the same store as the values, so that one trip reads a value and its versions. */
interface VersionsInStore extends Versions
{
    /**
     * @internal The keys under which the versions of these names lie in this store.
     *
     * @param list<string|Name> $names
     *
     * @return list<string> empty: they lie elsewhere
     *
     * @throws UnknownName
     */
    public function keysIn(Store $store, array $names): array;

    /** @internal Whether the versions lie in this very store. */
    public function areIn(Store $store): bool;

    /**
     * Whether a hit may be handed out by its stamps alone: this process has written nothing that others do not see, and
     * nothing is being made that the value would become a part of. Asked for every hit.
     *
     * @internal
     */
    public function isCalm(): bool;

    /**
     * What makeOf() is to be given, so that make() asks the store for nothing before the compute: keys that are read in
     * one trip with something else.
     *
     * @internal
     *
     * @param list<string|Name> $names that the value will be made from, as far as is known
     *
     * @return list<string> empty: there is nothing to gain
     *
     * @throws UnknownName
     */
    public function keysAhead(array $names): array;

    /**
     * @internal As make().
     *
     * @template T
     *
     * @param Closure(): T            $compute
     * @param list<string|Name> $names
     * @param SeenVersions            $seen  of keysAhead() for these names
     *
     * @return ComputedValue<T>
     *
     * @throws UnknownName
     * @throws Throwable   what $compute throws
     */
    public function makeOf(Closure $compute, array $names, ?float $life, SeenVersions $seen): ComputedValue;

    /**
     * @internal Whether one of the names is being changed.
     *
     * @param list<string>            $keys  from keysIn()
     * @param array<array-key, mixed> $found values of these keys
     */
    public function areChanging(array $keys, array $found): bool;

    /**
     * @internal As hold() for one value.
     *
     * @param array<string, int>      $stamps
     * @param list<string>            $keys   from keysIn()
     * @param array<array-key, mixed> $found  values of these keys, read together with the value or after it
     */
    public function holdsBy(array $stamps, array $keys, array $found): bool;
}
