<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Closure;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Tracker\RecordingMysqli;
use Larder\Testbed\Server\Database;
use mysqli;
use mysqli_result;
use RuntimeException;

final readonly class MysqliWriter implements Writer
{
    public function __construct(private mysqli $connection) {}

    public static function connect(Database $database, Registry $registry): RecordingMysqli
    {
        return new RecordingMysqli(
            $database->part('host') === '' ? null : $database->part('host'),
            $database->user,
            $database->password,
            $database->part('dbname'),
            (int) $database->part('port'),
            $database->part('unix_socket'),
            $registry,
        );
    }

    public function value(string $sql, array $parameters = []): mixed
    {
        if ($parameters === []) {
            $result = $this->connection->query($sql);
        } else {
            $statement = $this->connection->prepare($sql);
            if ($statement === false) {
                throw new RuntimeException('A failure is an exception, unless mysqli_report() says otherwise.');
            }
            $types = array_map(static fn(int|string $value): string => \is_int($value) ? 'i' : 's', $parameters);
            $statement->bind_param(implode('', $types), ...$parameters);
            $statement->execute();
            $result = $statement->get_result();
        }

        return $result instanceof mysqli_result ? $result->fetch_column() : false;
    }

    public function transaction(Closure $change): void
    {
        $this->connection->begin_transaction();
        $change();
        $this->connection->commit();
    }
}
