<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Larder\Page\Area;
use Larder\Page\Context;
use Larder\Page\Limits;
use Larder\Page\Operations;
use Larder\Page\Pages;
use Larder\Page\Part;
use Larder\Page\PartKind;
use Larder\Page\PartName;
use Larder\Page\Parts;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Page\Urls;
use Larder\Page\Visitors;
use Larder\Sql\Tracker\RecordingPdo;

/**
 * A careless site with parts and contexts, over SQLite: it shows what a request says of itself, and escapes nothing.
 *
 *     /page/4, /open/4   box/latest, menu (by context) and own (private); /open ignores sessions
 *     /mirror/4          all that a page, a part and a part by context see of the request
 *     /comments/4        the last comment as it is, in the page and in two parts; POST /say writes one
 *     /leak/4            the visitor's context, where the key does not have it: in a page and in a part for all
 *     /find?q=           the query as it is
 */
final readonly class MirrorSite
{
    public const EDITORS = 'for role:editor';

    /** @param list<string> $memcached */
    public static function site(string $home, array $memcached): Site
    {
        return new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: $home . '/pages',
            list: $home . '/list.php',
            controllers: [NewsController::class],
            connect: static function () use ($home): RecordingPdo {
                $database = new RecordingPdo('sqlite:' . $home . '/data/site.sqlite');
                $database->exec('PRAGMA synchronous = OFF');
                $database->exec('PRAGMA busy_timeout = 5000');

                return $database;
            },
            urls: new Urls(
                areas: [new Area('/open', ignoreCookies: true)],
                parts: [new Part('box'), new Part('menu', PartKind::ByContext), new Part('own', PartKind::Private)],
            ),
            visitors: new Visitors(sessionCookies: ['sid'], contexts: ContextCookies::contexts($home)),
            limits: new Limits(waitMilliseconds: 100),
            operations: new Operations(code: []),
            storage: new Storage(memcached: $memcached, patience: 2_000),
            serving: new Serving(
                // So that the next request is answered by nginx.
                answersFirst: false,
            ),
        );
    }

    /** The front controller. */
    public static function answer(Site $site): void
    {
        $uri = $_SERVER['REQUEST_URI'] ?? '';
        $uri = \is_string($uri) ? $uri : '';
        $database = Pages::of($site)->connect();
        \assert($database instanceof RecordingPdo);
        $parts = Pages::of($site)->parts();
        $part = static fn(string $name, Context $context) => self::part($name, $database, $context);
        $name = str_starts_with($uri, PartName::PLACE) ? substr($uri, \strlen(PartName::PLACE)) : null;
        Pages::of($site)->plainFront($database, null, $parts, $part)->run(
            NewsController::class,
            $name === null
                ? static fn(Context $context) => self::page($uri, $database, $parts, $context)
                : static fn(Context $context) => $part($name, $context),
        );
    }

    private static function page(string $uri, RecordingPdo $database, Parts $parts, Context $context): void
    {
        header('Content-Type: ' . Area::HTML);
        switch (explode('?', $uri)[0]) {
            case '/page/4':
            case '/open/4':
                $title = $database->select('SELECT title FROM news WHERE id = 4')[0]['title'] ?? '';
                echo "page $title ", $parts->include('box/latest'), $parts->include('menu'), $parts->include('own');
                break;
            case '/mirror/4':
                echo self::mirror(), $parts->include('box/mirror'), $parts->include('menu/mirror');
                break;
            case '/comments/4':
                $text = self::comment($database);
                echo "comments <p title=\"$text\">$text</p>", $parts->include('box/comments');
                echo $parts->include('menu/comments'), '.';
                break;
            case '/leak/4':
                echo 'leak for ', $context->text(), '.', $parts->include('box/leak'), '.';
                break;
            case '/find':
                $words = $_GET['q'] ?? '';
                echo 'found ', \is_string($words) ? $words : '', $parts->include('box/plain');
                break;
            case '/say':
                $text = $_POST['text'] ?? '';
                $database->prepare('INSERT INTO comment (text) VALUES (?)')->execute([$text]);
                echo 'said';
                break;
            default:
                http_response_code(404);
                echo 'none ', rawurldecode($uri), $parts->include('box/plain');
        }
    }

    private static function part(string $name, RecordingPdo $database, Context $context): void
    {
        switch ($name) {
            case 'box/plain':
                echo 'plain';
                break;
            case 'box/latest':
                $title = $database->select('SELECT title FROM news ORDER BY id DESC LIMIT 1')[0]['title'] ?? '';
                echo "[box of $title]";
                break;
            case 'menu':
                echo '[menu for ', $context->isAnonymous() ? 'everybody' : $context->text(), ']';
                break;
            case 'own':
                $who = [$_SERVER['HTTP_X_WHO'] ?? 'nobody', $_COOKIE['sid'] ?? 'none'];
                echo '[own of ', implode(' with ', array_filter($who, is_string(...))), ']';
                break;
            case 'box/leak':
                echo 'leak for ', $context->text();
                break;
            case 'box/mirror':
            case 'menu/mirror':
                echo self::mirror();
                break;
            case 'box/comments':
            case 'menu/comments':
                echo "[$name ", self::comment($database), ']';
                break;
            default:
                http_response_code(404);
                echo '[box of nothing]';
        }
    }

    private static function comment(RecordingPdo $database): string
    {
        $text = $database->select('SELECT text FROM comment ORDER BY id DESC LIMIT 1')[0]['text'] ?? '';

        return \is_string($text) ? $text : '';
    }

    private static function mirror(): string
    {
        $body = file_get_contents('php://input');

        return print_r([$_SERVER, $_GET, $_POST, $_COOKIE, $_REQUEST, $_FILES, getallheaders(), $body], true);
    }
}
