<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Sql;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\ConnectPerCall;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Subject;
use Larder\Testbed\Server\Endpoint;
use PDO;
use PDOStatement;

/**
 * Rows by SQL: as text, or prepared by the server once a connection.
 *
 * Or rows are read by MariaDB's HANDLER statement, which leaves out the optimizer; it can be prepared there. Writes are
 * SQL then too, as HANDLER has none.
 */
final class MariaDb implements Appending, CountingMany, ManyKeys
{
    private PDO $pdo;

    /** @var array<string, PDOStatement> by SQL */
    private array $statements = [];

    /**
     * @param bool $create  whether connect() makes the table if there is none
     * @param bool $handler whether rows are read by HANDLER; it takes rows that are prepared
     */
    public function __construct(
        private readonly bool $prepared = false,
        private readonly bool $create = true,
        private readonly bool $handler = false,
    ) {}

    public function connect(Context $context): void
    {
        $this->pdo = self::pdo($context, !$this->prepared);
        if ($this->create) {
            self::createTable($this->pdo);
        }
        if ($this->handler) {
            // Stays open as long as the connection, and keeps others from altering the table.
            $this->pdo->exec('HANDLER pairs OPEN');
        }
    }

    public function close(): void
    {
        $this->statements = [];
        unset($this->pdo);
    }

    public function get(string $key): ?string
    {
        $select = $this->statement(
            $this->handler ? 'HANDLER pairs READ `PRIMARY` = (?)' : 'SELECT v FROM pairs WHERE k = ?',
        );
        $select->execute([$key]);
        // HANDLER always returns all columns.
        $value = $select->fetchColumn($this->handler ? 1 : 0);

        return \is_string($value) ? $value : null;
    }

    public function set(string $key, string $value): void
    {
        $this->statement(
            'INSERT INTO pairs (k, v) VALUES (?, ?) ON DUPLICATE KEY UPDATE v = VALUES(v)',
        )->execute([$key, $value]);
    }

    public function delete(string $key): void
    {
        $this->statement('DELETE FROM pairs WHERE k = ?')->execute([$key]);
    }

    public function getMany(array $keys): array
    {
        $select = $this->statement('SELECT k, v FROM pairs WHERE k IN (?' . str_repeat(', ?', \count($keys) - 1) . ')');
        $select->execute($keys);

        /** @var array<string, string> */
        return $select->fetchAll(PDO::FETCH_KEY_PAIR);
    }

    public function setMany(array $values): void
    {
        // Rows are locked as they are listed: two that list them in different orders wait for each other.
        ksort($values, SORT_STRING);
        $row = [];
        foreach ($values as $key => $value) {
            $row[] = (string) $key;
            $row[] = $value;
        }
        $this->statement(
            'INSERT INTO pairs (k, v) VALUES (?, ?)' . str_repeat(', (?, ?)', \count($values) - 1)
                . ' ON DUPLICATE KEY UPDATE v = VALUES(v)',
        )->execute($row);
    }

    public function deleteMany(array $keys): void
    {
        $this->statement(
            'DELETE FROM pairs WHERE k IN (?' . str_repeat(', ?', \count($keys) - 1) . ')',
        )->execute($keys);
    }

    public function append(string $key, string $suffix): void
    {
        $update = $this->statement('UPDATE pairs SET v = CONCAT(v, ?) WHERE k = ?');
        $update->execute([$suffix, $key]);
        if ($update->rowCount() !== 1) {
            throw Failed::during('append', $key, 'no such row');
        }
    }

    public function setCounter(string $key, int $value): void
    {
        $this->set($key, (string) $value);
    }

    /** One round trip: the value comes back with the acknowledgement, where the id of an insert would be. */
    public function increment(string $key, int $by = 1): int
    {
        $update = $this->statement('UPDATE pairs SET v = LAST_INSERT_ID(CAST(v AS SIGNED) + ?) WHERE k = ?');
        $update->bindValue(1, $by, PDO::PARAM_INT);
        $update->bindValue(2, $key);
        $update->execute();
        if ($update->rowCount() !== 1) {
            throw Failed::during('increment', $key, 'no such row');
        }

        return (int) $this->pdo->lastInsertId();
    }

    public function decrement(string $key, int $by = 1): int
    {
        return $this->increment($key, -$by);
    }

    public function incrementMany(array $keys, int $by = 1): array
    {
        // An UPDATE of MariaDB cannot return rows, an INSERT can.
        $upsert = $this->statement(
            'INSERT INTO pairs (k, v) VALUES (?, ?)' . str_repeat(', (?, ?)', \count($keys) - 1)
                . ' ON DUPLICATE KEY UPDATE v = CAST(v AS SIGNED) + CAST(VALUES(v) AS SIGNED) RETURNING k, v',
        );
        sort($keys, SORT_STRING);
        $row = [];
        foreach ($keys as $key) {
            $row[] = $key;
            $row[] = (string) $by;
        }
        $upsert->execute($row);
        /** @var array<string, string> $after */
        $after = $upsert->fetchAll(PDO::FETCH_KEY_PAIR);

        return array_map(intval(...), $after);
    }

    private function statement(string $sql): PDOStatement
    {
        return $this->statements[$sql] ??= $this->pdo->prepare($sql);
    }

    public static function server(Context $context): Endpoint
    {
        return $context->endpoints[0] ?? throw Failed::connecting('MariaDB', 'no server is there');
    }

    /** @param bool $emulate the statement's text goes over the wire with its values, at each execution */
    public static function pdo(Context $context, bool $emulate): PDO
    {
        $server = self::server($context);
        $where = $server->port > 0
            ? \sprintf('host=%s;port=%d', $server->host, $server->port)
            : 'unix_socket=' . $server->socket;

        // "binary": nothing that quotes or compares a value takes its bytes for characters.
        return new PDO(
            \sprintf('mysql:%s;dbname=%s;charset=binary', $where, $server->extra['database'] ?? ''),
            $server->extra['user'] ?? null,
            $server->extra['password'] ?? null,
            [
                PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
                PDO::ATTR_EMULATE_PREPARES => $emulate,
                PDO::ATTR_TIMEOUT => (int) ceil($context->timeout),
                PDO::MYSQL_ATTR_FOUND_ROWS => true,
            ],
        );
    }

    public static function createTable(PDO $pdo): void
    {
        $pdo->exec(
            'CREATE TABLE IF NOT EXISTS pairs (k VARBINARY(200) NOT NULL PRIMARY KEY, v MEDIUMBLOB NOT NULL) ENGINE = '
                . 'InnoDB',
        );
    }

    /**
     * The ways to the rows of one table.
     *
     * @return list<Definition>
     */
    public static function subjects(): array
    {
        $text = static fn(): self => new self();
        $prepared = static fn(): self => new self(prepared: true);
        $handler = static fn(): self => new self(prepared: true, handler: true);
        $socket = static fn(): HandlerSocket => new HandlerSocket();
        $existing = static fn(): self => new self(create: false);
        $connecting = static fn(): ConnectPerCall => new ConnectPerCall($existing, $text);
        $idle = static fn(): ConnectPerCall => new ConnectPerCall($existing, asks: false);

        return [
            self::row('mariadb', 'MariaDB, text', self::class, $text, [
                'protocol' => 'text: PDO puts the values into the statement',
            ]),
            self::row('mariadb-prepared', 'MariaDB, prepared', self::class, $prepared, [
                'protocol' => 'binary: prepared by the server, once a connection',
                'tuned' => 'ATTR_EMULATE_PREPARES off, statements kept',
            ]),
            self::row('mariadb-handler', 'MariaDB, HANDLER', self::class, $handler, [
                'protocol' => 'binary: reads by a prepared HANDLER statement, writes by prepared SQL',
                'note' => 'as long as it is open nobody can alter the table',
            ], only: [KeyValue::class]),
            self::row('handlersocket', 'MariaDB, HandlerSocket', HandlerSocket::class, $socket, [
                'client' => 'this bench\'s own, on PHP\'s streams',
                'protocol' => 'HandlerSocket text; a set is an update, and an insert where that changed no row',
                'nodelay' => 'on',
                'time-outs' => 'connect, and each reply: that of the bench (5 s)',
                'note' => 'a plugin of maturity "beta", which MariaDB loads only when told to; as long as it is '
                    . 'connected nobody can alter the table',
            ]),
            self::row('mariadb-connect', 'MariaDB, connecting each time', ConnectPerCall::class, $connecting, [
                'protocol' => 'text',
                'persistent' => 'no: connects for each call',
            ]),
            self::row('mariadb-connect-only', 'MariaDB, connection alone', ConnectPerCall::class, $idle, [
                'protocol' => 'text',
                'note' => 'connects, authenticates and closes',
            ], Role::Floor),
        ];
    }

    /**
     * @param class-string<Subject>  $class
     * @param Closure(): Subject     $make
     * @param array<string, string>  $terms
     * @param list<class-string<Subject>>|null $only
     */
    private static function row(
        string $id,
        string $title,
        string $class,
        Closure $make,
        array $terms,
        Role $role = Role::Contender,
        ?array $only = null,
    ): Definition {
        return new Definition($id, $title, $class, $make, Kind::MariaDb, $role, [
            'client' => 'PDO, mysqlnd of PHP ' . PHP_VERSION,
            'transport' => 'TCP',
            'persistent' => 'no',
            'nodelay' => 'on, its default',
            'compression' => 'none',
            'time-outs' => 'connect: that of the bench (5 s); read: mysqlnd.net_read_timeout = 10',
            ...$terms,
        ], ['pdo_mysql'], ini: ['mysqlnd.net_read_timeout' => '10'], only: $only);
    }
}
