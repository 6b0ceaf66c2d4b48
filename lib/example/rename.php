<?php

declare(strict_types=1);

use Larder\Page\Pages;

require_once __DIR__ . '/vendor/autoload.php';

$database = Pages::of(require __DIR__ . '/larder.php')->connect();
$database->prepare('UPDATE news SET title = ? WHERE id = ?')->execute(['New title', 4]);
