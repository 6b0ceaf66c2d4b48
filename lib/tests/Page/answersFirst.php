<?php

declare(strict_types=1);

/* The site of AnswersFirstTest, and what one request of it does. */

use Larder\Dependency\RecordingPdo;
use Larder\Page\Attribute\Reads;
use Larder\Page\Operations;
use Larder\Page\Pages;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;

require_once (string) getenv('AUTOLOAD');

if (!class_exists('StoryController', false)) {
    #[Reads('news')]
    final readonly class StoryController
    {
        public function __construct(private RecordingPdo $database) {}

        public function show(string $do): void
        {
            echo '<!DOCTYPE html><p>', $this->database->select('SELECT title FROM news WHERE id = 4')[0]['title'] ?? '';
            if ($do === 'undeclared') {
                $this->database->query('SELECT id FROM comment');
            }
        }
    }
}

$directory = (string) getenv('PAGES');
$site = new Site(
    name: 'first',
    hosts: ['localhost'],
    pages: "$directory/pages",
    list: "$directory/list.php",
    controllers: [StoryController::class],
    connect: static fn(): RecordingPdo => new RecordingPdo("sqlite:$directory/news"),
    operations: new Operations(code: []),
    storage: new Storage(memcached: is_dir("$directory/memcached") ? ["unix:$directory/memcached/memcached.sock"] : []),
    serving: new Serving(answersFirst: ['1' => true, '0' => false][(string) getenv('FIRST')] ?? null),
);
if (PHP_SAPI === 'cli') {
    return $site;
}
$uri = $_SERVER['REQUEST_URI'];
$do = basename(is_string($uri) ? $uri : '');
$database = Pages::of($site)->connect();
assert($database instanceof RecordingPdo);
Pages::of($site)->plainFront($database)->run(
    StoryController::class,
    static fn() => (new StoryController($database))->show($do),
);
if ($do === 'late') {
    echo 'late';
}
if ($do === 'last') {
    register_shutdown_function(static function (): void {
        echo 'last';
    });
}
