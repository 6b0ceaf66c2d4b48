<?php

declare(strict_types=1);

namespace Larder\Row;

use Larder\Exception\UnknownName;
use PDOException;

/**
 * Attributes that lie in rows of their own, entity-attribute-value as in Magento: by their codes, since their numbers
 * are others in each installation.
 *
 *     $attributes = new Attributes($rows);
 *     $billing = $attributes->values('customer', 'default_billing', 'customer_entity_int', [1, 2, 3]);
 *
 * The rows of the codes are stored like all others. Of a table of values (entity_id, attribute_id) is a unique key.
 */
final readonly class Attributes
{
    /**
     * @param string $types      has entity_type_id and entity_type_code, each of them unique
     * @param string $attributes has attribute_id; (entity_type_id, attribute_code) is unique
     */
    public function __construct(
        private Rows $rows,
        private string $types = 'eav_entity_type',
        private string $attributes = 'eav_attribute',
    ) {}

    /**
     * The number of a type of entities in this installation.
     *
     * @throws UnknownName
     * @throws PDOException
     */
    public function type(string $code): int
    {
        return $this->number($this->types, ['entity_type_code' => $code], 'entity_type_id', "entity type \"$code\"");
    }

    /**
     * The number of an attribute in this installation. A code is unique only within its type.
     *
     * @throws UnknownName
     * @throws PDOException
     */
    public function attribute(string $type, string $code): int
    {
        return $this->number(
            $this->attributes,
            ['entity_type_id' => $this->type($type), 'attribute_code' => $code],
            'attribute_id',
            "attribute \"$code\" of $type",
        );
    }

    /**
     * The values of one attribute of many entities, in one trip to the store.
     *
     * @param string    $table    of the values
     * @param list<int> $entities
     *
     * @return array<int, mixed> by entity; null: it has none
     *
     * @throws UnknownName
     * @throws PDOException
     */
    public function values(string $type, string $code, string $table, array $entities): array
    {
        $entities = array_values(array_unique($entities));
        $attribute = $this->attribute($type, $code);
        $rows = $this->rows->table($table)->findManyBy(array_map(
            static fn(int $entity): array => ['attribute_id' => $attribute, 'entity_id' => $entity],
            $entities,
        ));

        return array_combine($entities, array_map(static fn(?array $row): mixed => $row['value'] ?? null, $rows));
    }

    /** @param non-empty-array<string, int|string> $equal */
    private function number(string $table, array $equal, string $column, string $what): int
    {
        $number = $this->rows->table($table)->findBy($equal, [$column])[$column] ?? null;

        return \is_int($number) ? $number : throw UnknownName::of($what . ' in', $table, []);
    }
}
