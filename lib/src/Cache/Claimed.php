<?php

declare(strict_types=1);

namespace Larder\Cache;

/**
 * What becomes of a request for one value that was not seen to be fresh, as Claim decided.
 *
 *     Event::Hit       a fresh entry is there after all
 *     Event::Stale     the old entry, while another process makes the new one
 *     Event::Waited    an entry that another process made meanwhile
 *     null             this process makes the value
 *
 * @internal
 */
final readonly class Claimed
{
    /** Whether there was an entry, fresh or not, before anything was claimed. */
    public bool $wasThere;

    /**
     * @param Entry|Computation $result what is handed out, or what this process is to make
     * @param Event|null        $event  as which an entry is handed out
     * @param Entry|null        $old    what may be handed out before the value is made
     */
    public function __construct(
        public Entry|Computation $result,
        public ?Event $event = null,
        public ?Entry $old = null,
    ) {
        $this->wasThere = $old !== null || $event === Event::Hit || $event === Event::Stale;
    }
}
