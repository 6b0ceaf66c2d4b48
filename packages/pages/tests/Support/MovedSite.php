<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Larder\Page\Area;
use Larder\Page\Operations;
use Larder\Page\Pages;
use Larder\Page\Query;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Page\Urls;
use Larder\Sql\Tracker\RecordingPdo;

/** News by slug, at places that moved: 404 before there is a row, redirects to it, and 410 after it. */
final class MovedSite
{
    /** @param list<string> $memcached */
    public static function site(string $home, array $memcached): Site
    {
        return new Site(
            name: 'moved',
            hosts: ['localhost'],
            pages: $home . '/pages',
            list: $home . '/list.php',
            controllers: [NewsController::class, QuickController::class],
            connect: static function () use ($home): RecordingPdo {
                $database = new RecordingPdo('sqlite:' . $home . '/data/site.sqlite');
                $database->exec('PRAGMA busy_timeout = 5000');

                return $database;
            },
            operations: new Operations(code: []),
            urls: new Urls(
                areas: [new Area('/timed', ttl: 10), new Area('/later', stale: 60), new Area('/')],
                queries: [new Query('/news/[a-z]+', ['page' => '[1-9]'])],
            ),
            serving: new Serving(
                headers: ['X-Frame-Options' => 'DENY'],
                // So that the next request is answered by nginx.
                answersFirst: false,
            ),
            storage: new Storage(memcached: $memcached, patience: 2_000),
        );
    }

    public static function answer(Site $site): void
    {
        $database = Pages::of($site)->connect();
        \assert($database instanceof RecordingPdo);
        $uri = $_SERVER['REQUEST_URI'] ?? '';
        $uri = \is_string($uri) ? explode('?', $uri, 2)[0] : '';
        [, $place, $slug] = [...explode('/', $uri, 3), '', ''];
        $controller = $place === 'timed' ? QuickController::class : NewsController::class;
        Pages::of($site)->plainFront($database)->run(
            $controller,
            static fn() => self::show($database, $place, $slug),
        );
    }

    private static function show(RecordingPdo $database, string $place, string $slug): void
    {
        header('X-Frame-Options: DENY');
        $statement = $database->prepare('SELECT title FROM news WHERE slug = ?');
        $statement->execute([$slug]);
        $title = $statement->fetchColumn();
        if ($title === false || $place === 'gone') {
            http_response_code($place === 'gone' ? 410 : 404);
            echo "<h1>no $slug</h1>";
        } elseif ($place === 'old') {
            header("Location: /news/$slug?from=$title", true, 301);
        } elseif ($place === 'away') {
            header("Location: $title", true, 308);
            echo 'It is elsewhere.';
        } else {
            echo "<h1>$title</h1>";
        }
    }
}
