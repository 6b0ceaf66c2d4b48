<?php

declare(strict_types=1);

use Larder\Page\Site;
use Larder\Sql\Tracker\RecordingPdo;

require_once __DIR__ . '/NewsController.php';

return new Site(
    name: 'news',
    hosts: ['localhost', '127.0.0.1'],
    pages: __DIR__ . '/var/pages',
    list: __DIR__ . '/larder.list',
    controllers: [NewsController::class],
    connect: fn() => new RecordingPdo('sqlite:' . __DIR__ . '/var/data/news.sqlite'),
);
