<?php

declare(strict_types=1);

use Larder\Page\Pages;

require __DIR__ . '/../vendor/autoload.php';

$site = require __DIR__ . '/../larder.php';
$database = ($site->connect)();
Pages::of($site)->plainFront($database)->run(NewsController::class, function () use ($database): void {
    echo (new NewsController($database))->show((int) basename($_SERVER['REQUEST_URI']));
});
