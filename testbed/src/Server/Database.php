<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use PDO;

/**
 * The database of a site or of a test: a SQLite file, or a server of its own with one that is empty at first.
 *
 * The servers keep what they committed as production has it: each COMMIT reaches the disk.
 */
final readonly class Database
{
    /** Of MariaDB: a COMMIT is in the log, and on the disk there, before anybody sees it. */
    private const LOG = ['log-bin' => 'log', 'server-id' => '1', 'binlog-format' => 'ROW', 'sync-binlog' => '1'];

    private function __construct(
        public DatabaseKind $kind,
        /** For PDO, as user and password are. */
        public string $dsn,
        public ?string $user,
        public ?string $password,
        /** What APP_DATABASE says: a file's path, or the DSN. */
        public string $name,
        /** Null: the database is a file. */
        private ?ServerProcess $server,
    ) {}

    /**
     * @param string $directory for the file or the server; made if need be
     * @param bool   $isLogged  whether the server keeps a log of rows for who follows it
     * @param int    $number    of a server of MariaDB among those that have the same rows; from 2 on, it logs what it
     *     gets from another one too
     * @param bool   $isReachable whether MariaDB has a port, as its replicas need
     */
    public static function start(
        DatabaseKind $kind,
        string $directory,
        bool $isLogged = false,
        int $number = 1,
        bool $isReachable = false,
    ): self {
        if ($kind === DatabaseKind::Sqlite) {
            return self::file($directory . '/site.sqlite');
        }
        $server = $kind === DatabaseKind::MariaDb
            ? new MariaDb(
                $directory,
                $isReachable ? [0] : [],
                ['innodb-flush-log-at-trx-commit' => '1', 'log-slave-updates' => $number > 1 ? '1' : '0']
                    + ($isLogged ? ['server-id' => (string) $number] + self::LOG : []),
            )
            : new PostgreSql($directory, $isLogged ? ['wal_level' => 'logical'] : []);
        $extra = $server->endpoint()->extra;
        $dsn = $extra['dsn'] ?? '';

        return new self($kind, $dsn, $extra['user'] ?? '', $extra['password'] ?? '', $dsn, $server);
    }

    /** A SQLite file, which may be there already. Its directory is made if need be. */
    public static function file(string $path): self
    {
        if (!is_dir(\dirname($path))) {
            mkdir(\dirname($path), recursive: true);
        }

        return new self(DatabaseKind::Sqlite, 'sqlite:' . $path, null, null, $path, null);
    }

    /** A copy of a SQLite file, of which no connection is open. */
    public static function copy(string $file, string $directory): self
    {
        $copy = self::file($directory . '/site.sqlite');
        if (!copy($file, $copy->name)) {
            throw ServerFailed::because("cannot copy $file to $copy->name");
        }

        return $copy;
    }

    /** A plain connection, of which Larder knows nothing. It waits ten seconds for locks. */
    public function connect(): PDO
    {
        $connection = new PDO($this->dsn, $this->user, $this->password, [
            PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
            PDO::ATTR_TIMEOUT => 10,
        ]);
        $patience = match ($this->kind) {
            DatabaseKind::Sqlite => null,
            DatabaseKind::MariaDb => 'SET innodb_lock_wait_timeout = 10',
            DatabaseKind::PostgreSql => 'SET lock_timeout = 10000',
        };
        if ($patience !== null) {
            $connection->exec($patience);
        }

        return $connection;
    }

    /** @return string what the DSN says: of `host`, `port`, `dbname` or `unix_socket`; empty: it does not */
    public function part(string $name): string
    {
        preg_match("/[:;]{$name}=([^;]*)/", $this->dsn, $found);

        return $found[1] ?? '';
    }

    /** @return array<string, string> by which the example site finds it */
    public function environment(): array
    {
        return ['APP_DATABASE' => $this->name] + array_filter([
            'APP_DATABASE_USER' => (string) $this->user,
            'APP_DATABASE_PASSWORD' => (string) $this->password,
        ], static fn(string $value): bool => $value !== '');
    }

    /** @return list<string> directories that whoever writes to the database has to own */
    public function writable(): array
    {
        return $this->server === null ? [\dirname($this->name)] : [];
    }

    public function version(): string
    {
        return $this->server?->version() ?? 'sqlite';
    }

    /** @return list<string> options of MariaDB's programs by which they reach the server */
    public function access(string $directory): array
    {
        if ($this->kind !== DatabaseKind::MariaDb) {
            return [];
        }
        $file = $directory . '/client.cnf';
        touch($file);
        chmod($file, 0o600);
        file_put_contents($file, \sprintf(
            "[client]\nsocket=%s\nuser=%s\npassword=%s\n",
            $this->part('unix_socket'),
            (string) $this->user,
            (string) $this->password,
        ));

        return ['--defaults-file=' . $file];
    }

    /** @return int|null on 127.0.0.1; null: it has none */
    public function port(): ?int
    {
        $port = $this->server?->endpoint()->port ?? 0;

        return $port === 0 ? null : $port;
    }

    /** @return list<int> of the server, its first process before the others */
    public function pids(): array
    {
        return $this->server?->endpoint()->pids ?? [];
    }

    public function stop(): void
    {
        $this->server?->stop();
    }
}
