<?php

declare(strict_types=1);

// The front controller of the site: /item/ITEM, /page/PARTS and the parts. With the parameter PLAIN it makes the same
// without Larder; with CLASSES it says in that file how many classes of Larder were loaded.

use BenchSite\ItemController;
use BenchSite\PartController;
use Larder\Page\Pages;
use Larder\Page\PartName;
use Larder\Page\Site;

require (string) getenv('SITE_AUTOLOAD');

(static function (): void {
    /** @var array<string, string> $server */
    $server = $_SERVER;
    $uri = $server['REQUEST_URI'];
    $word = basename($uri);
    $isItem = str_starts_with($uri, '/item/');
    if (isset($server['PLAIN']) && $isItem) {
        $name = (string) getenv('APP_DATABASE');
        $isFile = str_starts_with($name, '/');
        $database = $isFile
            ? new PDO('sqlite:' . dirname($name) . '/plain.sqlite')
            : new PDO($name, (string) getenv('APP_DATABASE_USER'), (string) getenv('APP_DATABASE_PASSWORD'));
        if ($isFile) {
            $database->exec('PRAGMA synchronous = OFF');
        }
        (new ItemController($database))->show($word);
    } elseif (isset($server['PLAIN'])) {
        $part = static fn(int $number): string => PartController::part((string) $number);
        echo PartController::page((int) $word, $part);
    } else {
        $site = require __DIR__ . '/../larder.php';
        assert($site instanceof Site);
        $pages = Pages::of($site);
        $database = $pages->connect();
        if ($isItem) {
            assert($database instanceof PDO);
            $pages->plainFront($database)->run(
                ItemController::class,
                static fn() => (new ItemController($database))->show($word),
            );
        } else {
            $parts = $pages->parts();
            $pages->plainFront($database, parts: $parts)->run(
                PartController::class,
                static function () use ($uri, $word, $parts): void {
                    echo str_contains($uri, PartName::PLACE)
                        ? PartController::part($word)
                        : PartController::page(
                            (int) $word,
                            static fn(int $number): string => $parts->include("box/$number"),
                        );
                },
            );
        }
    }
    if (isset($server['CLASSES'])) {
        $names = [...get_declared_classes(), ...get_declared_interfaces()];
        $larder = array_filter(
            $names,
            static fn(string $name): bool => str_starts_with($name, 'Larder\\'),
        );
        file_put_contents($server['CLASSES'], (string) count($larder));
    }
})();
