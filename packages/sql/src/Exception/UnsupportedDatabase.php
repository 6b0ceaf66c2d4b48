<?php

declare(strict_types=1);

namespace Larder\Sql\Exception;

use InvalidArgumentException;
use Larder\Exception\LarderException;

/** The connection is to a database that Larder's ledger does not know. */
final class UnsupportedDatabase extends InvalidArgumentException implements LarderException
{
    public static function of(string $driver, string $supported): self
    {
        return new self(
            "Pages and strict values need their ledger in the database of the data, and that can be $supported only: "
            . "this DSN begins with \"$driver:\". Values without a ledger work beside any database.",
        );
    }

    public static function hasNoLog(string $driver): self
    {
        return new self(
            "Nobody follows a database of \"$driver:\": it has no log that says what was changed. Larder follows"
                . ' MariaDB and PostgreSQL.',
        );
    }
}
