<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use PDO;
use PDOStatement;

/**
 * The two statements of the source, which name attributes by their codes. Either the database looks the numbers up in
 * each statement, or PHP looks them up once, since they change with a release only.
 */
final class SqlCustomers implements Customers
{
    /** Codes of attributes by their alias in the statements. */
    private const DEFAULTS = ['billing' => 'default_billing', 'shipping' => 'default_shipping'];

    private ?PDO $connection = null;
    private ?ShopTables $tables = null;

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
        // The prefix is made for keys: it may have characters that are not allowed in the name of a table.
        $this->tables = new ShopTables($this->connection, 'bench_' . hash('xxh32', $context->prefix) . '_');
        $this->statements = [];
    }

    public function close(): void
    {
        $this->statements = [];
        $this->tables = $this->connection = null;
    }

    public function install(Shop $shop, string $ids, int $page): void
    {
        $this->statements = [];
        $this->tables()->install($shop, $ids);
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
                $this->tables()->name('customer_entity_int'),
                $alias,
                $this->attribute('customer', $code),
            );
        }
        foreach ($withZipCodes ? self::DEFAULTS : [] as $alias => $code) {
            $columns[] = "{$alias}_zip.value AS {$code}_zipcode";
            $joins .= \sprintf(
                ' LEFT JOIN %1$s %2$s_zip ON %2$s_zip.entity_id = %2$s.value AND %2$s_zip.attribute_id = %3$s',
                $this->tables()->name('customer_address_entity_varchar'),
                $alias,
                $this->attribute('customer_address', 'postcode'),
            );
        }

        return \sprintf(
            'SELECT %s FROM %s c%s WHERE c.entity_type_id = %s AND c.is_active = 1 AND c.entity_id BETWEEN ? AND ? '
                . 'ORDER BY c.entity_id',
            implode(', ', $columns),
            $this->tables()->name('customer_entity'),
            $joins,
            $this->type('customer'),
        );
    }

    private function type(string $code): string
    {
        return $this->number(\sprintf(
            "SELECT entity_type_id FROM %s WHERE entity_type_code = '%s'",
            $this->tables()->name('eav_entity_type'),
            $code,
        ));
    }

    private function attribute(string $type, string $code): string
    {
        return $this->number(\sprintf(
            'SELECT a.attribute_id FROM %s a JOIN %s t ON t.entity_type_id = a.entity_type_id '
                . "WHERE t.entity_type_code = '%s' AND a.attribute_code = '%s'",
            $this->tables()->name('eav_attribute'),
            $this->tables()->name('eav_entity_type'),
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

    private function tables(): ShopTables
    {
        return $this->tables ?? throw Failed::connecting('MariaDB', 'not connected yet');
    }
}
