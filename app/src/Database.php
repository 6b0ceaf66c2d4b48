<?php

declare(strict_types=1);

namespace App;

use Larder\Sql\Tracker\RecordingPdo;
use PDO;
use SensitiveParameter;

/** Where the site's tables are. */
final readonly class Database
{
    /** PDO's name of the driver. */
    public string $driver;

    /** @param string $name a SQLite file, or the DSN of MariaDB (`mysql:…`) or PostgreSQL (`pgsql:…`) */
    public function __construct(
        public string $name,
        private ?string $user = null,
        #[SensitiveParameter]
        private ?string $password = null,
    ) {
        $this->driver = preg_match('/^(mysql|pgsql):/', $name, $found) === 1 ? $found[1] : 'sqlite';
    }

    /** @return string|null null: the tables are on a server */
    public function file(): ?string
    {
        return $this->driver === 'sqlite' ? $this->name : null;
    }

    public function dsn(): string
    {
        return $this->driver === 'sqlite' ? 'sqlite:' . $this->name : $this->name;
    }

    /** The site's own connection. */
    public function open(): RecordingPdo
    {
        $connection = new RecordingPdo(
            $this->dsn(),
            user: $this->user,
            password: $this->password,
            // PostgreSQL starts a process for each connection.
            keepsSecond: $this->driver === 'pgsql',
        );
        if ($this->driver === 'sqlite') {
            $connection->exec('PRAGMA busy_timeout = 5000');
            $connection->exec('PRAGMA synchronous = NORMAL');
        }

        return $connection;
    }

    /** A connection that Larder knows nothing of. */
    public function openPlain(): PDO
    {
        return new PDO($this->dsn(), $this->user, $this->password, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
    }

    /**
     * The statements that make the tables.
     *
     * @return list<string>
     */
    public function schema(): array
    {
        $text = (string) file_get_contents(\dirname(__DIR__) . "/sql/schema.$this->driver.sql");

        return explode(";\n", trim($text));
    }
}
