<?php

declare(strict_types=1);

// Stores so many `pages` that carry the name of one category, with `beside` also one that does not, and changes an item
// of the category: without Larder, and with it. Says as JSON what each took: nanoseconds, and microseconds of CPU.

use Larder\Dependency\RecordingPdo;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Response;
use Larder\Page\Site;

require (string) getenv('SITE_AUTOLOAD');

(static function (): void {
    /** @var array{pages: string, beside: string} $ask */
    $ask = $_GET;
    $count = (int) $ask['pages'];
    $site = require __DIR__ . '/larder.php';
    assert($site instanceof Site);
    $pages = Pages::of($site);
    $database = $pages->connect();
    assert($database instanceof RecordingPdo);
    $id = 100 + strlen((string) $count);
    $category = "of-$id";
    $plain = new PDO('sqlite:' . dirname((string) getenv('APP_DATABASE')) . '/plain.sqlite');
    $plain->exec('PRAGMA synchronous = OFF');
    $database->exec('PRAGMA wal_checkpoint(TRUNCATE)');
    $cache = $pages->pageCache($database);
    for ($page = $ask['beside'] === '1' ? -1 : 0; $page < $count; ++$page) {
        $of = $page < 0 ? 'net' : $category;
        $answer = $cache->answer(
            new PageRequest('GET', "/$category/" . ($page < 0 ? uniqid('stays') : $page), false),
            BenchSite\ItemController::class,
            static function () use ($database, $of): Response {
                $name = $database->registry()->set('item', ['category' => $of]);
                $database->select('SELECT body FROM item WHERE category = ?', [$of], $name);
                $type = ['content-type' => ['text/html; charset=utf-8']];

                return new Response(200, $type, str_repeat('page ', 400));
            },
        );
        $status = $answer->header('cache-status');
        $status === 'larder; fwd=miss; stored' || throw new LogicException("Nothing is stored: $status");
    }
    $taken = static function (Closure $work): array {
        $cpu = static function (): int {
            /** @var array<string, int> $used */
            $used = getrusage();

            return 1_000_000 * ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec'])
                + $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec'];
        };
        [$begin, $before] = [hrtime(true), $cpu()];
        $work();
        $took = hrtime(true) - $begin;

        return [$took, $cpu() - $before];
    };
    $update = 'UPDATE item SET body = ? WHERE id = ?';
    $took = [$taken(static function () use ($plain, $update, $id): void {
        $plain->exec('BEGIN IMMEDIATE');
        $plain->prepare($update)->execute([uniqid(), $id]);
        $plain->exec('COMMIT');
    })];
    $ledger = $pages->ledger($database);
    $took[] = $taken(static fn() => $ledger->transaction(static function () use (
        $database,
        $update,
        $id,
    ): void {
        $database->run($update, [uniqid(), $id]);
    }));
    glob($site->pages . "/current/$category/[0-9]*") === [] || throw new LogicException('Pages are left.');
    echo json_encode($took);
})();
