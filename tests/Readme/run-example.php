<?php

declare(strict_types=1);

// Runs the files of example, which lie in the working directory, over a small database.
// Arguments: the autoloader, the controller's class.

use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Release;
use Larder\Page\Response;
use Larder\Page\Site;

[, $autoload, $class] = $argv;
require $autoload;
require getcwd() . '/NewsController.php';
assert(class_exists($class));
mkdir('var/data', recursive: true);
$site = require getcwd() . '/larder.php';
assert($site instanceof Site);
$database = Pages::of($site)->connect();
$database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, category TEXT, title TEXT)');
$database->exec("INSERT INTO news VALUES (4, 'net', 'Old title')");
Release::compile($site, '1', $database->registry())->save($site->list);
Pages::of($site)->ledger($database)->deploy();

$get = static function () use ($site, $database, $class): string {
    $show = [new $class($database), 'show'];
    assert(is_callable($show));
    $make = static function () use ($show): Response {
        $html = $show(4);
        assert(is_string($html));

        return new Response(200, ['content-type' => ['text/html; charset=utf-8']], $html);
    };

    return Pages::of($site)->pageCache($database)->answer(
        new PageRequest('GET', '/news/4', false),
        $class,
        $make,
    )->body;
};
$isStored = static fn(): bool => is_file($site->pages . '/current/news/4~page');

$get();
echo $isStored() ? 'stored' : 'missing', "\n";
require getcwd() . '/rename.php';
echo $isStored() ? 'still there' : 'gone', "\n";
echo preg_replace('~^<h1>(.*?)</h1>.*~s', '$1', $get()), "\n";
