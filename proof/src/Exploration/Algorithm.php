<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** How pages are published and dropped. */
enum Algorithm: string
{
    case Files = 'F';
    case Servers = 'D+';

    /** @return list<Broken> */
    public function doubles(): array
    {
        return $this === self::Files ? BrokenDouble::cases() : BrokenServerDouble::cases();
    }

    /** @return list<Scenario> */
    public function usual(bool $locking): array
    {
        if ($locking) {
            return Scenario::usualOfMariaDb();
        }

        return $this === self::Files ? Scenario::usual() : Scenario::usualOfServers();
    }
}
