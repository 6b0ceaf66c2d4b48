<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;

/** Lines of the Catalogue: who can answer the questions about customers. */
final readonly class EavSubjects
{
    /** @return list<Definition> */
    public static function rows(): array
    {
        $sql = ['persistent' => 'yes', 'protocol' => 'MySQL, prepared by the server, PDO', 'nodelay' => 'unix socket', 'compression' => 'none', 'serializer' => 'none', 'time-outs' => '5 s, to connect'];
        $memcached = ['persistent' => 'yes', 'protocol' => 'memcached text, ext-memcached', 'nodelay' => 'yes', 'compression' => 'none', 'serializer' => 'JSON', 'time-outs' => '5 s'];

        return [
            new Definition('eav-array', 'answers in a PHP array', ArrayCustomers::class, static fn() => new ArrayCustomers(), Kind::None, Role::Floor, ['persistent' => 'in the process'], shared: false),
            new Definition('eav-sql', 'SQL join, attributes looked up by code in it', SqlCustomers::class, static fn() => new SqlCustomers(lookUpOnce: false), Kind::MariaDb, Role::Contender, $sql, ['pdo_mysql']),
            new Definition('eav-sql-ids', 'SQL join, numbers of attributes looked up once', SqlCustomers::class, static fn() => new SqlCustomers(lookUpOnce: true), Kind::MariaDb, Role::Contender, $sql, ['pdo_mysql']),
            new Definition('eav-rows', 'rows in memcached, joined in PHP', AssembledCustomers::class, static fn() => new AssembledCustomers(), Kind::Memcached, Role::Contender, $memcached, ['memcached']),
            new Definition('eav-results', 'answers in memcached', CachedCustomers::class, static fn() => new CachedCustomers(), Kind::Memcached, Role::Contender, $memcached, ['memcached']),
        ];
    }
}
