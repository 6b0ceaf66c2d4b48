<?php

declare(strict_types=1);

/*
 * For `larder doctor`: tells as JSON what this PHP is and what its user may do in the page directory and with the code,
 * which LARDER_LIST lists. php-fpm runs it when doctor asks at its socket, and doctor itself runs it as a process of
 * another user. A web server cannot give it LARDER_REPORT, which names the page directory, so a browser that finds it
 * gets nothing.
 */

use Larder\Console\Doctor\ProcessReport;

$pages = $_SERVER['LARDER_REPORT'] ?? null;
if (!is_string($pages) || $pages === '') {
    http_response_code(404);
    exit(1);
}
// Without an autoloader: this user may not be able to read one.
require_once __DIR__ . '/../src/Console/Doctor/ProcessReport.php';
$name = PHP_SAPI === 'cli' ? $_SERVER['LARDER_USER'] ?? null : null;
$user = is_string($name) ? posix_getpwnam($name) : false;
if ($user !== false) {
    $has = posix_initgroups($user['name'], $user['gid']) && posix_setgid($user['gid']) && posix_setuid($user['uid']);
    if (!$has) {
        exit(1);
    }
}
header('Content-Type: application/json');
$list = $_SERVER['LARDER_LIST'] ?? '';
echo ProcessReport::of($pages, is_string($list) ? $list : '')->json();
