<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Store;

/**
 * A store that can say, in a short reply without the value, whether a key still has the value that was seen. A
 * TieredStore needs it, since it keeps values nearer and must not hand out old ones.
 *
 * A stamp stands for one value of one key in one server process. No other value ever gets the same stamp: not when the
 * key is written, cleared, evicted or made anew, and not when the server restarts and counts from 1.
 */
interface Confirming extends Store
{
    /**
     * One round trip for any number of keys, and one more where a connection is new.
     *
     * A key that is in both is wanted.
     *
     * @param array<array-key, string> $stamps the stamp last seen, by key
     * @param list<string>             $wanted keys whose value is to come with the answer
     */
    public function confirm(array $stamps, array $wanted): Confirmation;
}
