<?php

declare(strict_types=1);

namespace Larder\Cache;

/**
 * What becomes of a request for one value that was not seen to be fresh, as Claim decided.
 *
 *     fresh      an entry that is there after all                          Event::Hit
 *     stale      the old entry, while another process makes the new one    Event::Stale
 *     waited     an entry that another process made meanwhile              Event::Waited
 *     mine       this process makes the value; with the old entry, if there is one that may be handed out before
 *
 * @internal
 */
final readonly class Claimed
{
    /**
     * @param Entry|Computation $result   what is handed out, or what this process is to make
     * @param Event|null        $event    as which the entry is handed out; null: it is a computation
     * @param Entry|null        $old      of a computation, if there is one
     * @param bool              $wasThere whether the store had an entry, fresh or not, when it was first asked
     */
    private function __construct(
        public Entry|Computation $result,
        public ?Event $event,
        public ?Entry $old,
        public bool $wasThere,
    ) {}

    public static function fresh(Entry $entry): self
    {
        return new self($entry, Event::Hit, null, true);
    }

    public static function stale(Entry $entry): self
    {
        return new self($entry, Event::Stale, null, true);
    }

    public static function waited(Entry $entry): self
    {
        return new self($entry, Event::Waited, null, false);
    }

    public static function mine(Computation $computation, ?Entry $old = null): self
    {
        return new self($computation, null, $old, $old !== null);
    }
}
