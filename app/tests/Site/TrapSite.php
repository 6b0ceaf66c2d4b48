<?php

declare(strict_types=1);

namespace App\Tests\Site;

use App\Application;
use App\Configuration;
use App\Http\Controller;
use App\Http\Kernel;
use App\Http\Route;
use Larder\Dependency\RecordingPdo;
use Larder\Page\Query;
use Larder\Page\Site;
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
            registry: $site->registry,
            connect: $site->connect,
            areas: $site->areas,
            queries: [...$site->queries, new Query('/trap/plain', ['a' => '[1-9]', 'b' => '[1-9]'])],
            sessionCookies: $site->sessionCookies,
            headers: $site->headers,
            passHeaders: ['X-Forwarded-Host', 'Accept-Language', 'User-Agent', 'Cookie'],
            pageBytes: self::LARGEST,
            memcached: $site->memcached,
            // So that what is stored can be counted when the answer is there.
            answersFirst: false,
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
