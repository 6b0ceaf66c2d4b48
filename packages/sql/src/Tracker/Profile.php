<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

/**
 * @internal What decides, beside the rows, which values a SELECT of a connection gives: the account, and what the
 * application has set since it connected. Two connections of one profile read the same values of the same rows.
 */
interface Profile
{
    /** @return string|null null: a transaction is open, what is read is recorded, or the session is not known */
    public function present(): ?string;

    /** The same, after the server was asked for what its session is like, if a statement may have changed it. */
    public function asked(): ?string;
}
