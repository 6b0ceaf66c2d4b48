<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use InvalidArgumentException;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use PDO;
use PDOStatement;

/**
 * The two statements of the source, which name attributes by their codes. Either the database looks the numbers up in
 * each statement, or PHP looks them up once, since they change with a release only.
 *
 * Each entity has a row, and each of its attributes has a row in the table of its type.
 */
final class SqlCustomers implements Customers
{
    /**
     * The numbers that an installation gave to its entity types and attributes: `source` has those of the source,
     * `other` those of another installation, in which a query with the source's numbers answers nonsense.
     */
    public const IDS = [
        'source' => ['customer' => 1, 'address' => 2, 'billing' => 14, 'shipping' => 13, 'zip' => 29],
        'other' => ['customer' => 3, 'address' => 1, 'billing' => 13, 'shipping' => 29, 'zip' => 14],
    ];

    private const GENDER = 100;
    private const CITY = 101;
    private const OTHER_TYPE = 99;
    private const ROWS_PER_INSERT = 1000;

    /** @var array<string, string> */
    private const TABLES = [
        'eav_entity_type' => 'entity_type_id SMALLINT UNSIGNED PRIMARY KEY, '
            . 'entity_type_code VARCHAR(50) NOT NULL UNIQUE',
        'eav_attribute' => 'attribute_id SMALLINT UNSIGNED PRIMARY KEY, entity_type_id SMALLINT UNSIGNED NOT NULL, '
            . 'attribute_code VARCHAR(100) NOT NULL, UNIQUE (entity_type_id, attribute_code)',
        'customer_entity' => 'entity_id INT UNSIGNED PRIMARY KEY, entity_type_id SMALLINT UNSIGNED NOT NULL, '
            . 'email VARCHAR(255) NOT NULL, is_active TINYINT UNSIGNED NOT NULL, KEY (entity_type_id)',
        'customer_entity_int' => 'value_id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, '
            . 'attribute_id SMALLINT UNSIGNED NOT NULL, entity_id INT UNSIGNED NOT NULL, value INT NOT NULL, '
            . 'UNIQUE (entity_id, attribute_id), KEY (attribute_id)',
        'customer_address_entity_varchar' => 'value_id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, '
            . 'attribute_id SMALLINT UNSIGNED NOT NULL, entity_id INT UNSIGNED NOT NULL, '
            . 'value VARCHAR(255) NOT NULL, UNIQUE (entity_id, attribute_id), KEY (attribute_id)',
    ];

    /** Codes of attributes by their alias in the statements. */
    private const DEFAULTS = ['billing' => 'default_billing', 'shipping' => 'default_shipping'];

    private ?PDO $connection = null;
    private string $prefix = '';

    /** @var array<string, PDOStatement> */
    private array $statements = [];

    public function __construct(private readonly bool $lookUpOnce) {}

    public function connect(Context $context): void
    {
        $server = $context->endpoints[0] ?? throw Failed::connecting('MariaDB', 'no server was named');
        $where = $server->socket !== null
            ? 'unix_socket=' . $server->socket
            : \sprintf('host=%s;port=%d', $server->host, $server->port);
        $this->connection = new PDO(
            \sprintf('mysql:%s;dbname=%s;charset=utf8mb4', $where, $server->extra['database'] ?? 'test'),
            $server->extra['user'] ?? 'root',
            $server->extra['password'] ?? '',
            [
                PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
                PDO::ATTR_EMULATE_PREPARES => false,
                PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC,
                PDO::ATTR_TIMEOUT => (int) ceil($context->timeout),
            ],
        );
        $this->prefix = $context->prefix;
        $this->statements = [];
    }

    public function close(): void
    {
        $this->statements = [];
        $this->connection = null;
    }

    /** @return array{customer: int, address: int, billing: int, shipping: int, zip: int} */
    public static function ids(string $name): array
    {
        return self::IDS[$name] ?? throw new InvalidArgumentException(
            \sprintf('ids must be %s, not %s', implode(' or ', array_keys(self::IDS)), $name),
        );
    }

    /** @return string the quoted name of a table for an SQL statement */
    public static function quoted(string $prefix, string $table): string
    {
        // The prefix is made for keys: it may have characters that are not allowed in the name of a table.
        return '`bench_' . hash('xxh32', $prefix) . '_' . $table . '`';
    }

    public function install(Shop $shop, string $ids, int $page): void
    {
        $this->statements = [];
        $connection = $this->connection();
        $id = self::ids($ids);
        foreach (self::TABLES as $table => $columns) {
            $connection->exec('DROP TABLE IF EXISTS ' . $this->table($table));
            $connection->exec(
                \sprintf('CREATE TABLE %s (%s) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4', $this->table($table), $columns),
            );
        }
        $types = [[$id['customer'], 'customer'], [$id['address'], 'customer_address']];
        $this->insert('eav_entity_type', 'entity_type_id, entity_type_code', $types);
        $this->insert('eav_attribute', 'attribute_id, entity_type_id, attribute_code', [
            [$id['billing'], $id['customer'], 'default_billing'],
            [$id['shipping'], $id['customer'], 'default_shipping'],
            [$id['zip'], $id['address'], 'postcode'],
            [self::GENDER, $id['customer'], 'gender'],
            [self::CITY, $id['address'], 'city'],
            // A code is unique only within its entity type.
            [102, $id['customer'], 'postcode'],
            [103, $id['address'], 'default_billing'],
        ]);
        $this->insertCustomers($shop, $id);
        // Without fresh statistics the database plans its first statements for empty tables.
        foreach (array_keys(self::TABLES) as $table) {
            $statement = $connection->prepare('ANALYZE TABLE ' . $this->table($table));
            $statement->execute();
            $statement->fetchAll();
        }
    }

    public function addresses(int $from, int $to): array
    {
        return $this->rows('addresses', $from, $to);
    }

    public function zipCodes(int $from, int $to): array
    {
        return $this->rows('zipCodes', $from, $to);
    }

    /** @return list<array<mixed>> */
    private function rows(string $query, int $from, int $to): array
    {
        $statement = $this->statements[$query] ??= $this->connection()->prepare($this->sql($query === 'zipCodes'));
        $statement->execute([$from, $to]);
        $rows = [];
        foreach ($statement->fetchAll() as $row) {
            $rows[] = \is_array($row) ? $row : [];
        }

        return $rows;
    }

    private function sql(bool $withZipCodes): string
    {
        $columns = ['c.email'];
        $joins = '';
        foreach (self::DEFAULTS as $alias => $code) {
            $columns[] = "$alias.value AS $code";
            $joins .= \sprintf(
                ' LEFT JOIN %1$s %2$s ON %2$s.entity_id = c.entity_id AND %2$s.attribute_id = %3$s',
                $this->table('customer_entity_int'),
                $alias,
                $this->attribute('customer', $code),
            );
        }
        foreach ($withZipCodes ? self::DEFAULTS : [] as $alias => $code) {
            $columns[] = "{$alias}_zip.value AS {$code}_zipcode";
            $joins .= \sprintf(
                ' LEFT JOIN %1$s %2$s_zip ON %2$s_zip.entity_id = %2$s.value AND %2$s_zip.attribute_id = %3$s',
                $this->table('customer_address_entity_varchar'),
                $alias,
                $this->attribute('customer_address', 'postcode'),
            );
        }

        return \sprintf(
            'SELECT %s FROM %s c%s WHERE c.entity_type_id = %s AND c.is_active = 1 AND c.entity_id BETWEEN ? AND ? '
                . 'ORDER BY c.entity_id',
            implode(', ', $columns),
            $this->table('customer_entity'),
            $joins,
            $this->type('customer'),
        );
    }

    private function type(string $code): string
    {
        return $this->number(\sprintf(
            "SELECT entity_type_id FROM %s WHERE entity_type_code = '%s'",
            $this->table('eav_entity_type'),
            $code,
        ));
    }

    private function attribute(string $type, string $code): string
    {
        return $this->number(\sprintf(
            'SELECT a.attribute_id FROM %s a JOIN %s t ON t.entity_type_id = a.entity_type_id '
                . "WHERE t.entity_type_code = '%s' AND a.attribute_code = '%s'",
            $this->table('eav_attribute'),
            $this->table('eav_entity_type'),
            $type,
            $code,
        ));
    }

    /** The number that a SELECT returns, or the SELECT itself as a part of a larger statement. */
    private function number(string $select): string
    {
        if (!$this->lookUpOnce) {
            return '(' . $select . ')';
        }
        $statement = $this->connection()->prepare($select);
        $statement->execute();
        $number = $statement->fetchColumn();

        return \is_int($number)
            ? (string) $number
            : throw Failed::during('look up', $select, 'no such attribute');
    }

    private function connection(): PDO
    {
        return $this->connection ?? throw Failed::connecting('MariaDB', 'not connected yet');
    }

    private function table(string $table): string
    {
        return self::quoted($this->prefix, $table);
    }

    /** @param array{customer: int, address: int, billing: int, shipping: int, zip: int} $id */
    private function insertCustomers(Shop $shop, array $id): void
    {
        $entities = $ints = $texts = [];
        foreach ($shop->customers as $customer) {
            $type = $customer['registered'] ? $id['customer'] : self::OTHER_TYPE;
            $entities[] = [$customer['id'], $type, $customer['email'], (int) $customer['active']];
            $ints[] = [self::GENDER, $customer['id'], 1 + $customer['id'] % 2];
            if ($customer['billing'] !== null) {
                $ints[] = [$id['billing'], $customer['id'], $customer['billing']];
            }
            if ($customer['shipping'] !== null) {
                $ints[] = [$id['shipping'], $customer['id'], $customer['shipping']];
            }
            foreach ($customer['addresses'] as $number => $address) {
                $texts[] = [self::CITY, $number, $address['city']];
                if ($address['zip'] !== null) {
                    $texts[] = [$id['zip'], $number, $address['zip']];
                }
            }
        }
        $this->insert('customer_entity', 'entity_id, entity_type_id, email, is_active', $entities);
        $this->insert('customer_entity_int', 'attribute_id, entity_id, value', $ints);
        $this->insert('customer_address_entity_varchar', 'attribute_id, entity_id, value', $texts);
    }

    /** @param list<list<int|string>> $rows */
    private function insert(string $table, string $columns, array $rows): void
    {
        foreach (array_chunk($rows, self::ROWS_PER_INSERT) as $chunk) {
            $values = array_map(fn(array $row): string => '(' . implode(',', array_map(
                fn(int|string $value): string => \is_int($value) ? (string) $value : $this->connection()->quote($value),
                $row,
            )) . ')', $chunk);
            $this->connection()->exec(
                \sprintf('INSERT INTO %s (%s) VALUES %s', $this->table($table), $columns, implode(',', $values)),
            );
        }
    }
}
