<?php

declare(strict_types=1);

use Larder\Page\Pages;
use Larder\Proof\Demo\RenderTime;

// A front controller in plain PHP, whose pages differ in nothing but the time they take: /slow/5, /slow/500
// (milliseconds).
require __DIR__ . '/../../../vendor/autoload.php';

$site = RenderTime::site((string) getenv('MEASURE_DIRECTORY'));
$front = Pages::of($site)->plainFront(Pages::of($site)->connect());
$front->run(RenderTime::class, static function (): void {
    $uri = $_SERVER['REQUEST_URI'] ?? '';
    $milliseconds = is_string($uri) ? (int) substr($uri, strlen('/slow/')) : 0;
    usleep($milliseconds * 1000);
    header('Content-Type: text/html; charset=utf-8');
    echo str_pad("A page made in $milliseconds ms. ", 8192, 'It has the size of all others. ');
});
