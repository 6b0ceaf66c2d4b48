<?php

declare(strict_types=1);

is_dir(__DIR__ . '/var/data') || mkdir(__DIR__ . '/var/data');
$database = new PDO('sqlite:' . __DIR__ . '/var/data/news.sqlite');
$database->exec('PRAGMA journal_mode = WAL');
$database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, category TEXT NOT NULL, title TEXT NOT NULL)');
$database->exec("INSERT INTO news VALUES (3, 'net', 'Three'), (4, 'net', 'Old title'), (5, 'web', 'Five')");
