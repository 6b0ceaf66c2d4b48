<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use PDO;

/** The shop's tables: an entity has a row, and each of its attributes one more in the table of the attribute's type. */
final readonly class ShopTables
{
    private const ROWS_AT_ONCE = 1000;

    /** @var array<string, string> */
    private const DEFINITIONS = [
        'eav_entity_type' => 'entity_type_id SMALLINT UNSIGNED PRIMARY KEY, entity_type_code VARCHAR(50) NOT NULL UNIQUE',
        'eav_attribute' => 'attribute_id SMALLINT UNSIGNED PRIMARY KEY, entity_type_id SMALLINT UNSIGNED NOT NULL, attribute_code VARCHAR(100) NOT NULL, '
            . 'UNIQUE (entity_type_id, attribute_code)',
        'customer_entity' => 'entity_id INT UNSIGNED PRIMARY KEY, entity_type_id SMALLINT UNSIGNED NOT NULL, email VARCHAR(255) NOT NULL, is_active TINYINT UNSIGNED NOT NULL, '
            . 'KEY (entity_type_id)',
        'customer_entity_int' => 'value_id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, attribute_id SMALLINT UNSIGNED NOT NULL, entity_id INT UNSIGNED NOT NULL, value INT NOT NULL, '
            . 'UNIQUE (entity_id, attribute_id), KEY (attribute_id)',
        'customer_address_entity_varchar' => 'value_id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, attribute_id SMALLINT UNSIGNED NOT NULL, entity_id INT UNSIGNED NOT NULL, '
            . 'value VARCHAR(255) NOT NULL, UNIQUE (entity_id, attribute_id), KEY (attribute_id)',
    ];

    /** @param string $prefix of the tables' names: letters, digits and underscores */
    public function __construct(
        private PDO $connection,
        private string $prefix,
    ) {}

    /** @param string $table for an SQL statement */
    public function name(string $table): string
    {
        return '`' . $this->prefix . $table . '`';
    }

    public function install(Shop $shop, AttributeIds $ids): void
    {
        foreach (self::DEFINITIONS as $table => $columns) {
            $this->connection->exec('DROP TABLE IF EXISTS ' . $this->name($table));
            $this->connection->exec(\sprintf('CREATE TABLE %s (%s) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4', $this->name($table), $columns));
        }
        $this->insert('eav_entity_type', 'entity_type_id, entity_type_code', [[$ids->customer, 'customer'], [$ids->address, 'customer_address']]);
        $this->insert('eav_attribute', 'attribute_id, entity_type_id, attribute_code', $ids->attributes());

        $entities = $ints = $texts = [];
        foreach ($shop->customers as $customer) {
            $entities[] = [$customer->id, $customer->registered ? $ids->customer : 99, $customer->email, (int) $customer->active];
            $ints[] = [$ids->gender(), $customer->id, 1 + $customer->id % 2];
            if ($customer->billing !== null) {
                $ints[] = [$ids->billing, $customer->id, $customer->billing->id];
            }
            if ($customer->shipping !== null) {
                $ints[] = [$ids->shipping, $customer->id, $customer->shipping->id];
            }
            foreach ($customer->addresses() as $address) {
                $texts[] = [$ids->city(), $address->id, $address->city];
                if ($address->zipCode !== null) {
                    $texts[] = [$ids->zipCode, $address->id, $address->zipCode];
                }
            }
        }
        $this->insert('customer_entity', 'entity_id, entity_type_id, email, is_active', $entities);
        $this->insert('customer_entity_int', 'attribute_id, entity_id, value', $ints);
        $this->insert('customer_address_entity_varchar', 'attribute_id, entity_id, value', $texts);
        // Without fresh statistics the first plans are made for empty tables.
        foreach (array_keys(self::DEFINITIONS) as $table) {
            $statement = $this->connection->prepare('ANALYZE TABLE ' . $this->name($table));
            $statement->execute();
            $statement->fetchAll();
        }
    }

    /** @param list<list<int|string>> $rows */
    private function insert(string $table, string $columns, array $rows): void
    {
        foreach (array_chunk($rows, self::ROWS_AT_ONCE) as $chunk) {
            $values = array_map(fn(array $row): string => '(' . implode(',', array_map(
                fn(int|string $value): string => \is_int($value) ? (string) $value : $this->connection->quote($value),
                $row,
            )) . ')', $chunk);
            $this->connection->exec(\sprintf('INSERT INTO %s (%s) VALUES %s', $this->name($table), $columns, implode(',', $values)));
        }
    }
}
