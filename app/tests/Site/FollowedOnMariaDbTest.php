<?php

declare(strict_types=1);

namespace App\Tests\Site;

use Larder\Follow\Follower;
use Larder\Follow\Log;
use Larder\Follow\MariaDb\BinaryLog;
use Larder\Follow\Queries;
use Larder\Testbed\Server\DatabaseKind;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

#[CoversClass(Follower::class)]
#[CoversClass(BinaryLog::class)]
#[RequiresPhpExtension('pdo_mysql')]
final class FollowedOnMariaDbTest extends FollowedSiteCase
{
    protected static function kind(): DatabaseKind
    {
        return DatabaseKind::MariaDb;
    }

    protected static function log(Queries $queries): Log
    {
        return new BinaryLog($queries, []);
    }
}
