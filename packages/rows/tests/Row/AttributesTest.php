<?php

declare(strict_types=1);

namespace Larder\Tests\Row;

use Larder\Exception\UnknownName;
use Larder\Row\Attributes;
use Larder\Row\Rows;
use Larder\Testbed\Server\DatabaseKind;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

/** The queries of a shop whose attributes are rows, answered from rows, with the numbers of two installations. */
#[CoversClass(Attributes::class)]
#[RequiresPhpExtension('pdo_mysql')]
final class AttributesTest extends RowsCase
{
    private const JOIN = ' LEFT JOIN customer_entity_int %1$s ON %1$s.entity_id = c.entity_id'
        . ' AND %1$s.attribute_id = %2$d';

    private const ZIP = ' LEFT JOIN customer_address_entity_varchar %1$s_zip ON %1$s_zip.entity_id = %1$s.value'
        . ' AND %1$s_zip.attribute_id = %2$d';

    protected static function kind(): DatabaseKind
    {
        return DatabaseKind::MariaDb;
    }

    protected function tables(): array
    {
        return [
            'DROP TABLE IF EXISTS eav_entity_type, eav_attribute, customer_entity, customer_entity_int,'
                . ' customer_address_entity_varchar',
            'CREATE TABLE eav_entity_type (entity_type_id SMALLINT UNSIGNED PRIMARY KEY,'
                . ' entity_type_code VARCHAR(50) NOT NULL UNIQUE)',
            'CREATE TABLE eav_attribute (attribute_id SMALLINT UNSIGNED PRIMARY KEY,'
                . ' entity_type_id SMALLINT UNSIGNED NOT NULL, attribute_code VARCHAR(100) NOT NULL,'
                . ' UNIQUE (entity_type_id, attribute_code))',
            'CREATE TABLE customer_entity (entity_id INT UNSIGNED PRIMARY KEY,'
                . ' entity_type_id SMALLINT UNSIGNED NOT NULL, email VARCHAR(255) NOT NULL,'
                . ' is_active TINYINT UNSIGNED NOT NULL, KEY (entity_type_id))',
            'CREATE TABLE customer_entity_int (value_id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,'
                . ' attribute_id SMALLINT UNSIGNED NOT NULL, entity_id INT UNSIGNED NOT NULL, value INT NOT NULL,'
                . ' UNIQUE (entity_id, attribute_id))',
            'CREATE TABLE customer_address_entity_varchar (value_id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,'
                . ' attribute_id SMALLINT UNSIGNED NOT NULL, entity_id INT UNSIGNED NOT NULL,'
                . ' value VARCHAR(255) NOT NULL, UNIQUE (entity_id, attribute_id))',
        ];
    }

    /** @return iterable<string, array{int, int, int, int, int}> customer, address; billing, shipping, zip */
    public static function installations(): iterable
    {
        yield 'the source\'s' => [1, 2, 14, 13, 29];
        yield 'another one' => [3, 1, 13, 29, 14];
    }

    #[DataProvider('installations')]
    public function testAnswersAsTheSourcesSqlDoes(
        int $customer,
        int $address,
        int $billing,
        int $shipping,
        int $zip,
    ): void {
        $plain = $this->plain();
        $plain->exec("INSERT INTO eav_entity_type VALUES ($customer, 'customer'), ($address, 'customer_address')");
        $plain->exec("INSERT INTO eav_attribute VALUES ($billing, $customer, 'default_billing'),"
            . " ($shipping, $customer, 'default_shipping'), ($zip, $address, 'postcode'),"
            . " (100, $customer, 'postcode'), (101, $address, 'default_billing')");
        $plain->exec("INSERT INTO customer_entity VALUES (1, $customer, 'a@x', 1), (2, $customer, 'b@x', 1),"
            . " (3, $customer, 'c@x', 0), (4, 99, 'd@x', 1), (5, $customer, 'e@x', 1)");
        $plain->exec("INSERT INTO customer_entity_int (attribute_id, entity_id, value) VALUES ($billing, 1, 11),"
            . " ($shipping, 1, 12), ($billing, 2, 13), (100, 5, 11), ($billing, 3, 11)");
        $plain->exec("INSERT INTO customer_address_entity_varchar (attribute_id, entity_id, value) VALUES"
            . " ($zip, 11, '01234'), (101, 12, 'x'), ($zip, 13, '99999')");
        $sql = 'SELECT c.email, billing.value AS default_billing, shipping.value AS default_shipping%s'
            . ' FROM customer_entity c' . \sprintf(self::JOIN, 'billing', $billing)
            . \sprintf(self::JOIN, 'shipping', $shipping) . '%s'
            . " WHERE c.entity_type_id = $customer AND c.is_active = 1 ORDER BY c.entity_id";
        $addresses = $this->fetched(\sprintf($sql, '', ''));
        $withZip = \sprintf(
            $sql,
            ', billing_zip.value AS default_billing_zipcode, shipping_zip.value AS default_shipping_zipcode',
            \sprintf(self::ZIP, 'billing', $zip) . \sprintf(self::ZIP, 'shipping', $zip),
        );
        $rows = $this->rows();
        foreach ([1, 2] as $ignored) {
            self::assertSame([$addresses, $this->fetched($withZip)], self::answers($rows));
        }
        $this->store->trips = 0;
        self::answers($rows);
        self::assertSame(
            1 + 2 + 2 * 3 + 2 * 3,
            $this->store->trips,
            'a type, the ids and the rows of customers; a type, an attribute and values, of two attributes, twice',
        );
        $writer = $this->open();
        $this->rows($writer);
        $writer->exec("UPDATE customer_entity_int SET value = 13 WHERE entity_id = 1 AND attribute_id = $billing");
        $writer->exec("UPDATE customer_address_entity_varchar SET value = '55555' WHERE entity_id = 13");
        self::assertSame($this->fetched($withZip), self::answers($rows)[1]);
    }

    public function testACodeThatIsUnknownIsAnError(): void
    {
        $this->plain()->exec("INSERT INTO eav_entity_type VALUES (1, 'customer')");
        $this->expectException(UnknownName::class);
        $this->expectExceptionMessage('attribute "colour" of customer');
        (new Attributes($this->rows()))->attribute('customer', 'colour');
    }

    /** @return array{list<array<string, mixed>>, list<array<string, mixed>>} without and with the zip codes */
    private static function answers(Rows $rows): array
    {
        $attributes = new Attributes($rows);
        $equal = ['entity_type_id' => $attributes->type('customer'), 'is_active' => 1];
        $customers = array_column($rows->table('customer_entity')->findAll($equal), 'email', 'entity_id');
        $ids = array_values(array_filter(array_keys($customers), is_int(...)));
        $addresses = $withZip = $values = $zips = [];
        foreach (['default_billing', 'default_shipping'] as $code) {
            $values[$code] = $attributes->values('customer', $code, 'customer_entity_int', $ids);
            $zips[$code] = $attributes->values(
                'customer_address',
                'postcode',
                'customer_address_entity_varchar',
                array_values(array_filter($values[$code], is_int(...))),
            );
        }
        foreach ($customers as $id => $email) {
            $billing = $values['default_billing'][$id];
            $shipping = $values['default_shipping'][$id];
            $addresses[] = $row = [
                'email' => $email,
                'default_billing' => $billing,
                'default_shipping' => $shipping,
            ];
            $withZip[] = $row + [
                'default_billing_zipcode' => \is_int($billing) ? $zips['default_billing'][$billing] : null,
                'default_shipping_zipcode' => \is_int($shipping) ? $zips['default_shipping'][$shipping] : null,
            ];
        }

        return [$addresses, $withZip];
    }
}
