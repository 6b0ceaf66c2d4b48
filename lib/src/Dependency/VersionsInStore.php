<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Exception\UnknownName;
use Larder\Store;

/** Versions that may lie in the same store as the values, so that one trip reads a value and its versions. */
interface VersionsInStore extends Versions
{
    /**
     * The keys under which the versions of these names lie in this store.
     *
     * @param list<string|Dependency> $names
     *
     * @return list<string> empty: they lie elsewhere
     *
     * @throws UnknownName
     */
    public function keysIn(Store $store, array $names): array;

    /**
     * Whether one of the names is being changed.
     *
     * @param list<string>            $keys  from keysIn()
     * @param array<array-key, mixed> $found values of these keys
     */
    public function areChanging(array $keys, array $found): bool;

    /**
     * As hold() for one value.
     *
     * @param array<string, int>      $stamps
     * @param list<string>            $keys   from keysIn()
     * @param array<array-key, mixed> $found  values of these keys, read together with the value or after it
     */
    public function holdsBy(array $stamps, array $keys, array $found): bool;
}
