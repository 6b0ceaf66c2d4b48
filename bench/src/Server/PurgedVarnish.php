<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Closure;
use Larder\Edge\Edge;
use Larder\Edge\VarnishEdge;
use Larder\Page\Operations;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\VarnishConfig;
use Larder\Testbed\Server\Varnish;

/** A Varnish with the VCL of a site, to be purged and not to be asked: no site is behind it. */
final readonly class PurgedVarnish
{
    private const NOBODY = '127.0.0.1:9';

    public static function start(string $directory): Varnish
    {
        $site = self::site($directory, new VarnishEdge([self::NOBODY]), null);

        return new Varnish($directory, (new VarnishConfig($site, self::NOBODY, ['127.0.0.1']))->whole());
    }

    /** A site without pages, whose changes purge an edge. */
    public static function site(string $directory, ?Edge $edge, ?Closure $connect): Site
    {
        return new Site(
            name: 'edge',
            hosts: ['localhost'],
            pages: $directory . '/pages',
            list: $directory . '/list.php',
            controllers: [],
            connect: $connect ?? static fn(): never => throw new \LogicException('It has no database.'),
            operations: new Operations(code: []),
            serving: new Serving(edge: $edge),
        );
    }
}
