<?php

declare(strict_types=1);

use Larder\Page\Pages;

require __DIR__ . '/../vendor/autoload.php';

$pages = Pages::of(require __DIR__ . '/../larder.php');
$database = $pages->connect();
$pages->plainFront($database)->run(NewsController::class, function () use ($database): void {
    echo (new NewsController($database))->show((int) basename($_SERVER['REQUEST_URI']));
});
