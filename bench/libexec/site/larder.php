<?php

declare(strict_types=1);

// The site that Larder\Bench\Server\MadeSite starts. SITE_MEMCACHED is the server of its pages, which are files without
// it. With SITE_PARTS=1 its pages may have parts.

use BenchSite\ItemController;
use BenchSite\PartController;
use Larder\Dependency\ColumnType;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Larder\Dependency\Table;
use Larder\Page\Operations;
use Larder\Page\Part;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Page\Urls;

require_once __DIR__ . '/controllers.php';

return (static function (): Site {
    // All is read at once: a process that deploys the site has this environment no longer than that.
    $named = static fn(string $name): string => (string) getenv($name);
    [$name, $user, $password] = array_map($named, ['APP_DATABASE', 'APP_DATABASE_USER', 'APP_DATABASE_PASSWORD']);
    $isFile = str_starts_with($name, '/');
    $memcached = $named('SITE_MEMCACHED');
    // On SQLite the names of what a page reads are told; on a server they are derived from its statements.
    $registry = !$isFile ? new Registry() : new Registry(
        new Table('item', 'id', ['id' => ColumnType::Integer, 'category' => ColumnType::Text], [['category']]),
        new Table('note', 'id', ['id' => ColumnType::Integer, 'item' => ColumnType::Integer], [['item']]),
    );

    return new Site(
        name: 'made',
        hosts: ['127.0.0.1'],
        pages: $named('APP_PAGES'),
        list: $named('APP_LIST'),
        controllers: [ItemController::class, PartController::class],
        connect: static function () use ($name, $user, $password, $isFile, $registry): RecordingPdo {
            $dsn = ($isFile ? 'sqlite:' : '') . $name;
            $keeps = isset($_SERVER['KEEPS_SECOND']);
            $database = new RecordingPdo($dsn, $registry, user: $user, password: $password, keepsSecond: $keeps);
            if ($isFile) {
                $database->exec('PRAGMA synchronous = OFF');
            }

            return $database;
        },
        operations: new Operations(code: $isFile ? [__DIR__, $named('SITE_CODE')] : []),
        storage: new Storage(memcached: $memcached === '' ? [] : [$memcached]),
        urls: new Urls(parts: $named('SITE_PARTS') === '1' ? [new Part('box')] : []),
        serving: new Serving(answersFirst: isset($_SERVER['STORES_FIRST']) ? false : null),
    );
})();
