<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use mysqli_sql_exception;
use PDOException;

/**
 * @internal What a mysqli says of a statement that has run, and a statement that makes it say so again: mysqli's
 * properties cannot be set, and are those of the last answer on the connection.
 */
final readonly class MysqliAnswer
{
    /** Code of an exception in place of a `false` that mysqli has returned. */
    public const SEEN = -1;

    /** Of the session. The first gives a number to insert_id, which changes no LAST_INSERT_ID(), the second none. */
    public const TABLES = [
        'CREATE TEMPORARY TABLE IF NOT EXISTS larder_answer (id BIGINT UNSIGNED AUTO_INCREMENT, KEY (id))'
            . ' ENGINE = InnoDB',
        'CREATE TEMPORARY TABLE IF NOT EXISTS larder_answer_rows (id BIGINT UNSIGNED) ENGINE = InnoDB',
    ];

    public function __construct(
        public int $errno = 0,
        public string $sqlstate = '00000',
        public string $error = '',
        public int|string $affected = 0,
        public int|string $insertId = 0,
        public int $fields = 0,
    ) {}

    public static function of(PDOException $exception): self
    {
        [$state, $number, $message] = ($exception->errorInfo ?? []) + ['HY000', 2000, $exception->getMessage()];

        return new self(
            \is_int($number) ? $number : 2000,
            \is_string($state) ? $state : 'HY000',
            \is_string($message) ? $message : $exception->getMessage(),
        );
    }

    public function exception(?mysqli_sql_exception $previous, bool $isSeen = true): PDOException
    {
        $exception = new PDOException($this->error, $isSeen ? self::SEEN : 0, $previous);
        $exception->errorInfo = [$this->sqlstate, $this->errno, $this->error];

        return $exception;
    }

    public function isNothing(): bool
    {
        return (int) $this->affected <= 0 && (int) $this->insertId === 0 && $this->fields === 0;
    }

    public function statement(): string
    {
        if ($this->errno !== 0) {
            return $this->signal();
        }
        if ($this->isNothing()) {
            return 'DO 0';
        }
        $count = (int) $this->affected;
        if ($this->fields > 0) {
            // Rows of the same number and width.
            return 'SELECT 1' . str_repeat(', 1', $this->fields - 1) . match ($count) {
                0 => ' FROM DUAL WHERE FALSE',
                1 => '',
                default => " FROM seq_1_to_$count",
            };
        }
        $value = (string) $this->insertId;
        $table = 'larder_answer' . ($value === '0' ? '_rows' : '');
        if ($count === 0) {
            // The application's statement has called LAST_INSERT_ID() with it, too.
            return "INSERT INTO larder_answer_rows (id) SELECT 1 FROM DUAL WHERE LAST_INSERT_ID($value) = -1";
        }

        return $count === 1
            ? "INSERT INTO $table (id) VALUES ($value)"
            : \sprintf('INSERT INTO %s (id) SELECT %s FROM seq_1_to_%d', $table, $value, $count);
    }

    /** MariaDB takes 512 characters, and no state of success. */
    public function signal(): string
    {
        $isState = preg_match('/^(?!00|01|02)[0-9A-Z]{5}$/D', $this->sqlstate) === 1;

        return \sprintf(
            "SIGNAL SQLSTATE '%s' SET MYSQL_ERRNO = %d, MESSAGE_TEXT = X'%s'",
            $isState ? $this->sqlstate : 'HY000',
            max(1, min(65535, $this->errno)),
            bin2hex(mb_substr($this->error, 0, 512)),
        );
    }
}
