<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Larder\Dependency\Name;

/** @internal What a ledger makes known right before COMMIT. */
final readonly class AnnouncedChange
{
    /**
     * @param list<Name>  $names   of the data that changes; empty where pages went without a change: for room,
     *     or with all others
     * @param list<string>|null $dropped keys of the pages that are out of service from now on; null: all are
     */
    public function __construct(
        public array $names,
        public ?array $dropped,
    ) {}
}
