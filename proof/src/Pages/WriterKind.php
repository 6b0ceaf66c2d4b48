<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Larder\Testbed\Server\DatabaseKind;

/** By which connections of applications a database is written to, each as often as the others. */
enum WriterKind: string
{
    case Pdo = 'pdo';
    case Dbal = 'dbal';
    case Mysqli = 'mysqli';

    /** @return non-empty-list<self> */
    public static function on(DatabaseKind $database): array
    {
        return $database === DatabaseKind::MariaDb ? self::cases() : [self::Pdo, self::Dbal];
    }
}
