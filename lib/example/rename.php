<?php

declare(strict_types=1);

require_once __DIR__ . '/vendor/autoload.php';

$site = require __DIR__ . '/larder.php';
$database = ($site->connect)();
$database->prepare('UPDATE news SET title = ? WHERE id = ?')->execute(['New title', 4]);
