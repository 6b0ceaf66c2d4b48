<?php

declare(strict_types=1);

namespace Larder\Tests\Row;

use Larder\Row\Lookup;
use Larder\Row\Rows;
use Larder\Row\StoredRows;
use Larder\Row\Table;
use Larder\Testbed\Server\DatabaseKind;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

#[CoversClass(Rows::class)]
#[CoversClass(Table::class)]
#[CoversClass(Lookup::class)]
#[CoversClass(StoredRows::class)]
#[RequiresPhpExtension('pdo_mysql')]
final class MariaDbRowsTest extends ServerRowsCase
{
    protected static function kind(): DatabaseKind
    {
        return DatabaseKind::MariaDb;
    }
}
