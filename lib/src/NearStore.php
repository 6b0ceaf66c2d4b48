<?php

declare(strict_types=1);

namespace Larder;

/**
 * A store in this process's reach: a get is so cheap that nothing is gained by asking for two keys in one call.
 *
 * A class that forwards to such a store implements this too, and so keeps Larder\Cache's hit in one call.
 */
interface NearStore extends Store
{
    /**
     * The key of an entry's first element. No other array in the store begins with it.
     *
     * @var string
     */
    public const MARKER = '~larder';

    /**
     * The value of an entry that is still fresh, in one call.
     *
     * An entry is an array that its owner stored under the key. It begins with two elements. The first has the key
     * MARKER, and its value is an integer: the Unix time in microseconds until which the entry is fresh. The second
     * has the key 0 and is the value. What follows is the owner's.
     *
     * @return mixed null: there is no such entry, its value is null, less than 10 ms are left of its time, or no
     *     value can have this key
     */
    public function fresh(string $key): mixed;
}
