<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Sql;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Sql\HandlerSocketConnection;
use Larder\Bench\Subject\Subject;
use Larder\Memcached;
use Larder\Row\Rows;
use Larder\Row\Table;
use Larder\SharedMemory;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Store\MemcachedStore;
use PDO;
use PDOStatement;

/** One way to the rows of the table `item`: 25,000, with a number as their key, a name of 100 bytes, a value of 400. */
final class Items implements Subject
{
    public const COUNT = 25_000;
    public const MANY = 50;

    /** Rows that fill() takes at once. */
    private const CHUNK = 1000;

    private const ROW = 'SELECT * FROM item WHERE id = ?';

    private Connections $connections;
    private PDO $pdo;
    private ?Memcached $client = null;
    private ?Table $table = null;
    private string $namespace = '';

    /** @param int $rows that the table has: a multiple of CHUNK */
    public function __construct(
        private readonly Access $access,
        public readonly int $rows = self::COUNT,
    ) {}

    public static function name(int $number): string
    {
        return str_pad("key $number ", 100, 'k');
    }

    public static function value(int $id): string
    {
        return str_pad(hash('sha512', "value $id"), 400, (string) $id);
    }

    public function connect(Context $context): void
    {
        $this->connections = new Connections($context);
        $this->connections->make(
            'item',
            'id INTEGER PRIMARY KEY, name VARCHAR(100) NOT NULL UNIQUE, value VARCHAR(400) NOT NULL',
            $this->rows,
            static fn(int $id): array => [$id, self::name($id), self::value($id)],
        );
        $options = [PDO::ATTR_EMULATE_PREPARES => false];
        $this->pdo = $this->access->hasTable() || $this->access === Access::Tracked
            ? $this->connections->recording($options)
            : $this->connections->open($options);
        if ($this->access === Access::Handler) {
            if ($this->connections->driver() !== 'mysql') {
                throw new NotApplicable('is a statement of MariaDB');
            }
            // Stays open as long as the connection.
            $this->pdo->exec('HANDLER item OPEN');
        }
        if ($this->access === Access::Value || $this->access === Access::Memcached) {
            $this->client = new Memcached('unix:' . $context->serverOfWorker()->socket, shared: false);
        }
        $this->openTable(rtrim($context->prefix, ':'));
    }

    public function close(): void
    {
        $this->table = $this->client = null;
        unset($this->pdo);
    }

    /** Puts all rows where they are read from, if that is a store. */
    public function fill(): void
    {
        for ($from = 1; $from <= $this->rows; $from += self::CHUNK) {
            $ids = range($from, $from + self::CHUNK - 1);
            $this->table?->findMany($ids);
            if ($this->access === Access::Value) {
                $this->client?->setMultiple(array_combine(
                    array_map($this->key(...), $ids),
                    array_map(static fn(int $id): array => [
                        'id' => $id,
                        'name' => self::name($id),
                        'value' => self::value($id),
                    ], $ids),
                ));
            }
        }
    }

    /** From now on the store has no row; closures of before read the old ones. */
    public function forget(): void
    {
        $this->openTable(bin2hex(random_bytes(6)));
    }

    /** @return Closure(int): mixed gives the row with a key */
    public function one(): Closure
    {
        [$pdo, $client, $table] = [$this->pdo, $this->client, $this->table];

        return match ($this->access) {
            Access::Text => static function (int $id) use ($pdo): mixed {
                $statement = $pdo->query("SELECT * FROM item WHERE id = $id");

                return $statement === false ? null : $statement->fetchAll()[0] ?? null;
            },
            Access::Statement => static fn(int $id): mixed => self::bound($pdo->prepare(self::ROW))($id),
            Access::Prepared, Access::Tracked => self::bound($pdo->prepare(self::ROW)),
            Access::Handler => self::bound($pdo->prepare('HANDLER item READ `PRIMARY` = (?)')),
            Access::HandlerSocket => $this->handlerSocket(),
            Access::Value => fn(int $id): mixed => $client?->get($this->key($id)),
            Access::Memcached, Access::Memory => static fn(int $id): mixed => $table?->find($id),
            Access::In => throw new NotApplicable('is for many rows'),
        };
    }

    /** @return Closure(list<int>): array<array-key, mixed> gives the rows with MANY keys, by key */
    public function many(): Closure
    {
        $table = $this->table;
        if ($table !== null) {
            return $table->findMany(...);
        }
        if ($this->access === Access::In) {
            $in = $this->pdo->prepare(
                'SELECT * FROM item WHERE id IN (?' . str_repeat(', ?', self::MANY - 1) . ')',
            );

            return static function (array $ids) use ($in): array {
                $in->execute($ids);

                return array_column($in->fetchAll(), null, 'id');
            };
        }
        $one = $this->one();

        return static function (array $ids) use ($one): array {
            /** @var list<int> $ids */
            $rows = [];
            foreach ($ids as $id) {
                $rows[$id] = $one($id);
            }

            return $rows;
        };
    }

    /** @return Closure(int, string): int changes the name of the row with a key, and gives the number of rows */
    public function update(): Closure
    {
        $update = $this->pdo->prepare('UPDATE item SET name = ? WHERE id = ?');

        return static function (int $id, string $name) use ($update): int {
            $update->execute([$name, $id]);

            return $update->rowCount();
        };
    }

    /** @return Closure(int): mixed gives the row as the database has it, whatever a store has */
    public function stored(): Closure
    {
        return self::bound($this->connections->open()->prepare(self::ROW));
    }

    /** @return Closure(int): mixed */
    private static function bound(PDOStatement $statement): Closure
    {
        return static function (int $id) use ($statement): mixed {
            $statement->execute([$id]);

            return $statement->fetchAll()[0] ?? null;
        };
    }

    /** @return Closure(int): mixed */
    private function handlerSocket(): Closure
    {
        $extra = $this->connections->server()->extra ?? [];
        if (!isset($extra['handlersocket'], $extra['handlersocket-secret'])) {
            throw new NotApplicable('is a plugin of MariaDB, which is not there');
        }
        $socket = new HandlerSocketConnection('127.0.0.1', (int) $extra['handlersocket'], 5.0);
        $socket->ask('auth', "A\t1\t" . $extra['handlersocket-secret']);
        $socket->ask('open', "P\t1\t{$extra['database']}\titem\tPRIMARY\tid,name,value");

        return static function (int $id) use ($socket): array {
            [$key, $name, $value] = array_map($socket->decode(...), $socket->ask('find', "1\t=\t1\t$id"));

            return ['id' => (int) $key, 'name' => $name, 'value' => $value];
        };
    }

    private function openTable(string $namespace): void
    {
        $this->namespace = $namespace;
        $store = match ($this->access) {
            Access::Memory => new SharedMemory($namespace),
            Access::Memcached => new MemcachedStore(
                $namespace,
                $this->client ?? throw Failed::connecting('memcached', 'there is no client'),
            ),
            default => null,
        };
        if ($store !== null && $this->pdo instanceof RecordingPdo) {
            $this->table = (new Rows(SqlLedger::forValues($this->pdo), $store))->table('item');
        } elseif ($this->access === Access::Tracked && $this->pdo instanceof RecordingPdo) {
            // From now on it tells the ledger what it changes.
            SqlLedger::forValues($this->pdo);
        }
    }

    private function key(int $id): string
    {
        return "$this->namespace:$id";
    }
}
