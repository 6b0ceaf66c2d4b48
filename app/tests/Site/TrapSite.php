<?php

declare(strict_types=1);

namespace App\Tests\Site;

use App\Application;
use App\Configuration;
use App\Http\Controller;
use App\Http\Kernel;
use App\Http\Route;
use Larder\Page\Limits;
use Larder\Page\Query;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Page\Urls;
use Larder\Page\Visitors;
use Larder\Sql\Tracker\RecordingPdo;
use LogicException;

/** The example site with pages beside its own that must not be stored. */
final readonly class TrapSite
{
    /** Bytes; a body of more is over the cap. */
    public const LARGEST = 60_000;

    public const SLOW = 200_000;

    public static function site(Configuration $configuration): Site
    {
        $site = $configuration->site();

        return new Site(
            name: $site->name,
            hosts: $site->hosts,
            pages: $site->pages,
            list: $site->list,
            controllers: [...$site->controllers, TrapPage::class],
            connect: $site->open(...),
            urls: new Urls(
                areas: $site->urls->areas,
                queries: [...$site->urls->queries, new Query('/trap/plain', ['a' => '[1-9]', 'b' => '[1-9]'])],
            ),
            visitors: new Visitors(
                sessionCookies: $site->visitors->sessionCookies,
                passHeaders: ['X-Forwarded-Host', 'Accept-Language', 'User-Agent', 'Cookie'],
            ),
            serving: new Serving(
                headers: $site->serving->headers,
                // So that what is stored can be counted when the answer is there.
                answersFirst: false,
            ),
            limits: new Limits(pageBytes: self::LARGEST),
            storage: new Storage(memcached: $site->storage->memcached, patience: 2_000),
        );
    }

    public static function kernel(Configuration $configuration): Kernel
    {
        return Application::kernel(
            $configuration,
            self::site($configuration),
            [new Route('GET', '/trap/{what}', TrapPage::class, ['what' => '[a-z0-9-]+'])],
            static fn(string $class, RecordingPdo $database): Controller => $class === TrapPage::class
                ? new TrapPage($database, new RenderLog($configuration->var . '/renders'))
                : throw new LogicException('No trap ' . $class),
        );
    }
}
