<?php

declare(strict_types=1);

/*
 * Usage: php tools/house/walk.php WALK EXAMPLE OUT [URI]
 *
 * One walk of tools/walks, in the example of a counting copy. Writes what it counted as JSON to OUT. The two calls of
 * a walk that needs the page of another process run this file again.
 */

use Larder\Cache;
use Larder\Dependency\Gates;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\SharedMemory;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Tools\House\Calls;

[, $walk, $example, $out] = $argv;
$uri = $argv[4] ?? '/news/5';
require_once "$example/vendor/autoload.php";

$counted = [];
$note = static function (string $name, int $before = 0) use (&$counted): void {
    $calls = Calls::$count - $before;
    $counted[$name] = [
        'calls' => $calls,
        'files' => Calls::files(),
        'classes' => count(Calls::classes()),
    ];
};
$count = static function (string $name, Closure $do) use ($note): mixed {
    $before = Calls::$count;
    $done = $do();
    $note($name, $before);

    return $done;
};
$must = static function (bool $is, string $what): void {
    $is || throw new LogicException($what);
};
$request = static function (string $method, string $uri): void {
    $_SERVER = ['REQUEST_METHOD' => $method, 'REQUEST_URI' => $uri, 'SERVER_NAME' => 'localhost']
        + ($method === 'GET' ? ['LARDER_PAGE' => $uri] : []) + $_SERVER;
};
$stored = static fn(string $uri): int => count((array) glob("$example/var/pages/r/*$uri~page"));
/** @return array{Pages, RecordingPdo, class-string} what the front controller has, and the controller behind it */
$open = static function () use ($example): array {
    /** @var Site $site */
    $site = require "$example/larder.php";
    $pages = Pages::of($site);
    // Before Pages had a connect(), that of the site did all.
    $old = get_object_vars($site)['connect'] ?? null;
    /** @var RecordingPdo $database */
    $database = $old instanceof Closure ? $old() : $pages->connect();

    return [$pages, $database, $site->controllers[0]];
};
// What is noted once a minute would be noted in one run and not in another.
is_dir("$example/var/pages") && touch("$example/var/pages/history", time() + 3600);
$finish = static function () use (&$counted, $out): void {
    file_put_contents($out, json_encode($counted, JSON_THROW_ON_ERROR));
};

switch ($walk) {
    case 'deploy':
        $open()[0]->deploy();
        break;
    case 'remember':
        $store = new SharedMemory('walks');
        $cache = new Cache($store);
        $make = static fn(): string => 'made';
        // What is loaded once and for all.
        $cache->remember('first', $make, ttl: 60);
        $count('remember(), miss', static fn() => $cache->remember('second', $make, ttl: 60));
        $got = $count('remember(), hit', static fn() => $cache->remember('second', static fn() => 'again', ttl: 60));
        $must($got === 'made', 'It was no hit.');
        $cache = new Cache($store, new Gates($store, inTransaction: static fn(): bool => false));
        $cache->remember('third', $make, ttl: 60, reads: ['news:4']);
        $do = static fn() => $cache->remember('fourth', $make, ttl: 60, reads: ['news:4']);
        $count('remember() of a name, miss', $do);
        $count('remember() of a name, hit', $do);
        break;
    case 'past':
        $request('POST', '/news/4');
        [$pages, $database, $controller] = $open();
        $pages->plainFront($database)->run($controller, static function (): void {
            echo 'No query.';
        });
        $note('request past the page cache, no query');
        break;
    case 'miss':
        $request('GET', $uri);
        $must($stored($uri) === 0, 'The page is there.');
        require "$example/public/index.php";
        $must($stored($uri) === 1, 'The page was not stored.');
        // Registered now, it runs after those that the request registered.
        register_shutdown_function(static function () use ($note, $finish): void {
            $note('page miss, fresh process');
            $finish();
        });
        break;
    case 'update':
        [, $database] = $open();
        $title = 0;
        $update = static function () use ($database, &$title): void {
            $database->prepare('UPDATE news SET title = ? WHERE id = ?')->execute(['New title ' . ++$title, 4]);
        };
        $must($stored('/news/4') === 1, 'No page can fall.');
        $count('UPDATE by key, first of a process, a page falls', $update);
        $must($stored('/news/4') === 0, 'No page fell.');
        $count('UPDATE by key, warm, no page falls', $update);
        passthru(implode(' ', array_map(escapeshellarg(...), [
            PHP_BINARY, __FILE__, 'miss', $example, "$out.other", '/news/4',
        ])), $status);
        $must($status === 0 && $stored('/news/4') === 1, 'No page can fall.');
        $count('UPDATE by key, warm, a page falls', $update);
        $must($stored('/news/4') === 0, 'No page fell.');
        break;
    case 'select':
        $request('GET', '/news/5');
        [$pages, $database, $controller] = $open();
        $pages->plainFront($database)->run($controller, static function () use ($database, $count): void {
            $select = static fn() => $database->select('SELECT title, category FROM news WHERE id = ?', [5]);
            $count('SELECT to names, text never seen', $select);
            $count('SELECT to names, known text', $select);
            echo 'Five';
        });
        $must($stored('/news/5') === 1, 'The page was not stored.');
        break;
    default:
        throw new LogicException("There is no walk $walk.");
}
$finish();
