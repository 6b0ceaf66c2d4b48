<?php

declare(strict_types=1);

// The site of bench/bin/part-rates, and its front controller where the environment names the site's directory.

use Larder\Dependency\RecordingPdo;
use Larder\Page\Attribute\Reads;
use Larder\Page\Pages;
use Larder\Page\Part;
use Larder\Page\PartName;
use Larder\Page\Site;

require_once __DIR__ . '/../../vendor/autoload.php';

#[Reads('news', trust: true)]
final class RatedController {}

/** @param list<string> $memcached */
function ratedSite(string $home, array $memcached): Site
{
    return new Site(
        name: 'rates',
        hosts: ['localhost'],
        pages: $home . '/pages',
        list: $home . '/list.php',
        controllers: [RatedController::class],
        connect: static fn(): RecordingPdo => new RecordingPdo('sqlite:' . $home . '/data/site.sqlite'),
        code: [],
        memcached: $memcached,
        parts: [new Part('box')],
    );
}

function ratedPart(string $name): string
{
    return "<section><h2>$name</h2>" . str_repeat('<p>Some words of a part.</p>', 16) . "</section>\n";
}

/** @param Closure(int): string $include */
function ratedPage(int $parts, Closure $include): string
{
    $text = "<!DOCTYPE html><title>A page</title>\n" . str_repeat("<p>Some words of a page, and more.</p>\n", 50);
    for ($number = 1; $number <= $parts; ++$number) {
        $text .= $include($number) . '<hr>';
    }

    return $text . "</html>\n";
}

function ratedAnswer(string $home): void
{
    $servers = (string) getenv('RATES_MEMCACHED');
    $site = ratedSite($home, $servers === '' ? [] : [$servers]);
    $parts = Pages::of($site)->parts();
    $uri = $_SERVER['REQUEST_URI'] ?? '';
    $word = basename(is_string($uri) ? $uri : '');
    Pages::of($site)->plainFront(($site->connect)(), parts: $parts)->run(
        RatedController::class,
        static function () use ($uri, $word, $parts): void {
            echo str_contains(is_string($uri) ? $uri : '', PartName::PLACE)
                ? ratedPart($word)
                : ratedPage((int) $word, static fn(int $number): string => $parts->include("box/$number"));
        },
    );
}

$home = getenv('RATES_HOME');
if (is_string($home)) {
    ratedAnswer($home);
}
