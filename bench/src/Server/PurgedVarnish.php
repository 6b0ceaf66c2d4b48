<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Larder\Edge\VarnishEdge;
use Larder\Page\Site;
use Larder\Page\VarnishConfig;
use Larder\Testbed\Server\Varnish;
use LogicException;

/** A Varnish with the VCL of a site, to be purged and not to be asked: no site is behind it. */
final readonly class PurgedVarnish
{
    private const NOBODY = '127.0.0.1:9';

    public static function start(string $directory): Varnish
    {
        $site = new Site(
            name: 'edge',
            hosts: ['localhost'],
            pages: $directory . '/pages',
            list: $directory . '/list.php',
            controllers: [],
            connect: static fn(): never => throw new LogicException('Nothing is asked of the database.'),
            code: [],
            edge: new VarnishEdge([self::NOBODY]),
        );

        return new Varnish($directory, (new VarnishConfig($site, self::NOBODY))->whole());
    }
}
