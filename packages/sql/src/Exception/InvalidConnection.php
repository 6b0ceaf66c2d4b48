<?php

declare(strict_types=1);

namespace Larder\Sql\Exception;

use InvalidArgumentException;
use Larder\Exception\LarderException;

/** A setting of PDO or mysqli with which a RecordingPdo or RecordingMysqli could not keep its promises. */
final class InvalidConnection extends InvalidArgumentException implements LarderException
{
    public static function attribute(string $attribute, string $allowed): self
    {
        return new self(\sprintf('A RecordingPdo needs %s to be %s.', $attribute, $allowed));
    }

    public static function persistent(): self
    {
        return new self('A RecordingMysqli needs a connection of its own: leave out "p:" before the host.');
    }

    public static function asynchronous(): self
    {
        return new self('A RecordingMysqli cannot see what a query with MYSQLI_ASYNC reads or writes.');
    }

    public static function otherDatabase(): self
    {
        return new self(
            'Another database was selected past this connection, so its tables are not those that Larder knows: call '
                . '$db->select_db() in place of mysqli_select_db(), and $db->query() in place of mysqli_query() with '
                . 'USE.',
        );
    }

    /** @param list<string> $known */
    public static function driver(string $driver, array $known): self
    {
        return new self(\sprintf(
            'Larder records the connections of DBAL\'s drivers %s: this one has the driver %s.',
            implode(', ', $known),
            $driver,
        ));
    }
}
