<?php

declare(strict_types=1);

namespace Larder\Follow;

use PDO;
use PDOException;
use PDOStatement;

/** @internal A connection of the follower alone, of which Larder records nothing. */
final readonly class Queries
{
    public function __construct(private PDO $pdo)
    {
        $pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
    }

    /**
     * @param list<string|int> $parameters
     *
     * @return list<list<scalar|null>>
     *
     * @throws PDOException
     */
    public function rows(string $sql, array $parameters = []): array
    {
        /** @var list<list<scalar|null>> */
        return $this->run($sql, $parameters)->fetchAll(PDO::FETCH_NUM);
    }

    /**
     * @param list<string|int> $parameters
     *
     * @return list<string> of the first column
     *
     * @throws PDOException
     */
    public function texts(string $sql, array $parameters = []): array
    {
        return array_map(static fn(array $row): string => (string) $row[0], $this->rows($sql, $parameters));
    }

    /**
     * @param list<string|int> $parameters
     *
     * @throws PDOException
     */
    public function change(string $sql, array $parameters = []): int
    {
        return $this->run($sql, $parameters)->rowCount();
    }

    /** @param list<string|int> $parameters */
    private function run(string $sql, array $parameters): PDOStatement
    {
        $statement = $this->pdo->prepare($sql);
        $statement->execute($parameters);

        return $statement;
    }
}
