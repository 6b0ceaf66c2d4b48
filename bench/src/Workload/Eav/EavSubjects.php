<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;

/** The subjects of the catalogue that answer queries about customers. */
final readonly class EavSubjects
{
    /** @return list<Definition> */
    public static function rows(): array
    {
        $sql = [
            'persistent' => 'yes',
            'protocol' => 'MySQL, prepared by the server, PDO',
            'nodelay' => 'unix socket',
            'compression' => 'none',
            'serializer' => 'none',
            'time-outs' => '5 s, to connect',
        ];
        $memcached = [
            'persistent' => 'yes',
            'protocol' => 'memcached text, ext-memcached',
            'nodelay' => 'yes',
            'compression' => 'none',
            'serializer' => 'JSON',
            'time-outs' => '5 s',
        ];

        return [
            new Definition(
                'eav-array',
                'answers in a PHP array',
                ArrayCustomers::class,
                static fn(): ArrayCustomers => new ArrayCustomers(),
                Kind::None,
                Role::Floor,
                ['persistent' => 'in the process'],
                shared: false,
            ),
            self::sql('eav-sql', 'SQL join, attributes looked up by code in it', false, $sql),
            self::sql('eav-sql-ids', 'SQL join, numbers of attributes looked up once', true, $sql),
            self::memcached('eav-rows', 'rows in memcached, joined in PHP', false, $memcached),
            self::memcached('eav-results', 'answers in memcached', true, $memcached),
        ];
    }

    /** @param array<string, string> $terms */
    private static function sql(string $id, string $title, bool $lookUpOnce, array $terms): Definition
    {
        $make = static fn(): SqlCustomers => new SqlCustomers($lookUpOnce);

        return new Definition(
            $id,
            $title,
            SqlCustomers::class,
            $make,
            Kind::MariaDb,
            Role::Contender,
            $terms,
            ['pdo_mysql'],
        );
    }

    /** @param array<string, string> $terms */
    private static function memcached(string $id, string $title, bool $answers, array $terms): Definition
    {
        $make = static fn(): MemcachedCustomers => new MemcachedCustomers($answers);

        return new Definition(
            $id,
            $title,
            MemcachedCustomers::class,
            $make,
            Kind::Memcached,
            Role::Contender,
            $terms,
            ['memcached'],
        );
    }
}
