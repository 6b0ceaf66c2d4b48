<?php

declare(strict_types=1);

namespace Larder\Page\Lease;

use Larder\Sql\Exception\PageStoreFailed;

/** @internal Elects one process to compute one missing result. Never needed for correctness. */
interface Leases
{
    /**
     * @return Lease|null null: another process holds it
     *
     * @throws PageStoreFailed if it cannot be taken for another reason, such as a lack of rights; then waiting is in
     *     vain
     */
    public function acquire(string $name): ?Lease;
}
