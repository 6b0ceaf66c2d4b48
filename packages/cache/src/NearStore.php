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
     * The key of what an entry was made from, which is fresh only while that holds. Its marker is 0.
     *
     * @var int
     */
    public const STAMPS = 3;

    /**
     * The key of the time until then.
     *
     * @var int
     */
    public const WHILE_CURRENT = 7;

    /**
     * The value of an entry that is still fresh, in one call.
     *
     * An entry is an array that its owner stored under the key. It begins with two elements. The first has the key
     * MARKER, and its value is an integer: the Unix time in microseconds until which the entry is fresh. The second
     * has the key 0 and is the value. What follows is the owner's, but for two elements anywhere behind: that with
     * the key STAMPS is an array of numbers by key, that with the key WHILE_CURRENT a time like the marker's. Until
     * then the entry is fresh as well, if each of these keys has just that number as its value in this store.
     *
     * @param bool $stamped whether the stamps are looked at, where the marker's time is over
     *
     * @return mixed null: there is no such entry, its value is null, less than 10 ms are left of its time, or no
     *     value can have this key
     */
    public function fresh(string $key, bool $stamped = false): mixed;
}
