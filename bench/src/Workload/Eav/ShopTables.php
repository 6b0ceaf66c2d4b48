<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use InvalidArgumentException;
use PDO;

/** The tables of the shop: each entity has a row, and each of its attributes has a row in the table of its type. */
final readonly class ShopTables
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
    private const DEFINITIONS = [
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

    /** @param string $prefix of the names of the tables: letters, digits and underscores */
    public function __construct(
        private PDO $connection,
        private string $prefix,
    ) {}

    /** @return array{customer: int, address: int, billing: int, shipping: int, zip: int} */
    public static function ids(string $name): array
    {
        return self::IDS[$name] ?? throw new InvalidArgumentException(
            \sprintf('ids must be %s, not %s', implode(' or ', array_keys(self::IDS)), $name),
        );
    }

    /** @return string the quoted name for an SQL statement */
    public function name(string $table): string
    {
        return '`' . $this->prefix . $table . '`';
    }

    public function install(Shop $shop, string $ids): void
    {
        $id = self::ids($ids);
        foreach (self::DEFINITIONS as $table => $columns) {
            $this->connection->exec('DROP TABLE IF EXISTS ' . $this->name($table));
            $this->connection->exec(
                \sprintf('CREATE TABLE %s (%s) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4', $this->name($table), $columns),
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
        foreach (array_keys(self::DEFINITIONS) as $table) {
            $statement = $this->connection->prepare('ANALYZE TABLE ' . $this->name($table));
            $statement->execute();
            $statement->fetchAll();
        }
    }

    /** @param array{customer: int, address: int, billing: int, shipping: int, zip: int} $id */
    private function insertCustomers(Shop $shop, array $id): void
    {
        $entities = $ints = $texts = [];
        foreach ($shop->customers as $customer) {
            $type = $customer->registered ? $id['customer'] : self::OTHER_TYPE;
            $entities[] = [$customer->id, $type, $customer->email, (int) $customer->active];
            $ints[] = [self::GENDER, $customer->id, 1 + $customer->id % 2];
            if ($customer->billing !== null) {
                $ints[] = [$id['billing'], $customer->id, $customer->billing];
            }
            if ($customer->shipping !== null) {
                $ints[] = [$id['shipping'], $customer->id, $customer->shipping];
            }
            foreach ($customer->addresses as $number => $address) {
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
                fn(int|string $value): string => \is_int($value) ? (string) $value : $this->connection->quote($value),
                $row,
            )) . ')', $chunk);
            $this->connection->exec(
                \sprintf('INSERT INTO %s (%s) VALUES %s', $this->name($table), $columns, implode(',', $values)),
            );
        }
    }
}
