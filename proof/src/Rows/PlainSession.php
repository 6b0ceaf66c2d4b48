<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Larder\Testbed\Server\Database;
use PDO;

/** PDO as PHP has it. */
final class PlainSession implements ForeignSession
{
    private ?PDO $pdo = null;

    public function __construct(private readonly Database $database) {}

    public function number(string $sql): ?int
    {
        $result = $this->pdo()->query($sql);
        $number = $result === false ? null : $result->fetchColumn();

        return is_numeric($number) ? (int) $number : null;
    }

    public function run(array $statements): void
    {
        foreach ($statements as $statement) {
            $this->pdo()->exec($statement);
        }
    }

    public function end(): void
    {
        $this->pdo = null;
    }

    private function pdo(): PDO
    {
        return $this->pdo ??= $this->database->connect();
    }
}
