<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Store;

/**
 * A store that can tell, by a short reply without the value, whether a key still has the value that was seen: for a
 * TieredStore, which keeps values nearer and must not hand out old ones.
 *
 * A stamp is a word for one value, of one key, in one server process. It never comes again for another value: not when
 * the key is written, cleared, evicted and made anew, nor when the server restarts and counts from the beginning.
 */
interface Confirming extends Store
{
    /**
     * One round trip, whatever the number of keys; one more where a connection is new.
     *
     * A key that is in both is wanted.
     *
     * @param array<array-key, string> $stamps the stamp last seen, by key
     * @param list<string>             $wanted keys whose value is to come with the answer
     */
    public function confirm(array $stamps, array $wanted): Confirmation;
}
