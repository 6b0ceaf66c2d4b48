<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Closure;
use Larder\Page\Attribute\Reads;
use Larder\Page\Limits;
use Larder\Page\Operations;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Query;
use Larder\Page\Response;
use Larder\Page\Site;
use Larder\Page\Urls;
use Larder\Proof\About;
use Larder\Proof\Option;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\Torture;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\TrackedConnection;
use PDO;
use Psr\Log\NullLogger;

/** Strangers ask for paths that nobody asked for before, and the page directory is measured meanwhile. */
#[Reads('item')]
final class DiskTorture implements Torture
{
    private const KINDS = ['200', '301', '404', '410', 'query', 'deep'];

    /** Bytes that each file and each directory takes at least. */
    private const BLOCK = 4096;

    /** Directories below which a deep page lies. */
    private const DEEP = 15;

    public function about(): About
    {
        return new About(
            'disk',
            'Asks for very many paths, and measures the bytes and inodes below the page directory',
            <<<'HELP'
            Example: <info>script/torture disk --paths=100000</info>

            For each kind of answer a site with a limit of --bytes gets so many paths that differ: pages, redirects to
            deep paths, answers of status 404 and 410, pages with a query and pages in deep directories. At times a
            change ends all pages together. All that lies below the page directory counts: pages, redirects, drafts,
            what was put aside, and every directory with 4,096 bytes. The exit code is 1 if that was ever more than four
            times the limit, or if it were more inodes than so many bytes have blocks.
            HELP,
            [
                Option::number('paths', 'How many of each kind', 100, 10_000_000, 2_000),
                Option::number('bytes', 'Limits::$bytes', 1 << 20, 1 << 30, 2 << 20),
                Option::several('kinds', 'Which answers', self::KINDS),
            ],
        );
    }

    public function run(Run $run): Result
    {
        $limit = $run->number('bytes');
        $figures = ['limit' => $limit];
        $isClean = true;
        foreach ($run->words('kinds') as $kind) {
            [$stored, $bytes, $inodes] = self::fill($run, $kind, $limit);
            $run->tell("$kind: $stored stored, at most $bytes bytes and $inodes inodes");
            $figures += ["{$kind}_stored" => $stored, "{$kind}_bytes" => $bytes, "{$kind}_inodes" => $inodes];
            $isClean = $isClean && $stored > 0 && $bytes <= 4 * $limit && $inodes <= 4 * $limit / self::BLOCK;
        }

        return new Result($figures, $isClean ? 'within four times the limit' : 'MORE THAN THE LIMIT', $isClean);
    }

    /** @return array{int, int, int} pages that were stored, and the greatest bytes and inodes */
    private static function fill(Run $run, string $kind, int $limit): array
    {
        $site = self::site($run->directory() . '/' . $kind, $limit);
        Pages::of($site)->deploy('r1');
        $pages = Pages::of($site);
        $database = $pages->connect();
        $cache = $pages->pageCache($database, new NullLogger());
        [$stored, $bytes, $inodes] = [0, 0, 0];
        for ($path = 1; $path <= $run->number('paths'); ++$path) {
            $key = self::key($kind, $path);
            $make = self::make($kind, $key, $database);
            $answer = $cache->answer(new PageRequest('GET', $key, false), self::class, $make);
            $stored += (int) str_contains((string) $answer->header('cache-status'), 'stored');
            if ($path % 500 === 0) {
                $database->exec("UPDATE item SET title = 'of $path'");
            }
            if ($path % 100 === 0) {
                [$nowBytes, $nowInodes] = self::measured($site->pages);
                [$bytes, $inodes] = [max($bytes, $nowBytes), max($inodes, $nowInodes)];
            }
        }

        return [$stored, $bytes, $inodes];
    }

    private static function site(string $directory, int $limit): Site
    {
        mkdir($directory);
        $file = "sqlite:$directory/db.sqlite";
        (new PDO($file))->exec(
            'PRAGMA journal_mode = WAL; CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT);'
                . " INSERT INTO item VALUES (1, 'one')",
        );

        return new Site(
            name: 'disk',
            hosts: ['localhost'],
            pages: "$directory/pages",
            list: "$directory/list.php",
            controllers: [self::class],
            connect: static function () use ($file): RecordingPdo {
                $database = new RecordingPdo($file);
                $database->exec('PRAGMA synchronous = OFF');

                return $database;
            },
            urls: new Urls(queries: [new Query('/list', ['page' => '[0-9]+'])]),
            limits: new Limits(bytes: $limit),
            operations: new Operations(code: []),
        );
    }

    private static function key(string $kind, int $path): string
    {
        $segments = static fn(int $count): string => implode('/', array_map(
            static fn(int $depth): string => base_convert((string) crc32("$path.$depth"), 10, 36),
            range(1, $count),
        ));

        return match ($kind) {
            'query' => "/list?page=$path",
            'deep', '301' => '/' . $segments(self::DEEP) . "/$path",
            default => '/' . $segments(1 + $path % self::DEEP) . "/$path",
        };
    }

    /** @return Closure(RecordedReads): Response */
    private static function make(string $kind, string $key, TrackedConnection $database): Closure
    {
        $status = is_numeric($kind) ? (int) $kind : 200;
        $location = $status === 301 ? ['location' => ["/new$key"]] : [];
        $headers = ['content-type' => ['text/html; charset=utf-8']] + $location;

        return static function () use ($database, $status, $headers): Response {
            $database->select('SELECT title FROM item WHERE id = 1');

            return new Response($status, $headers, 'x');
        };
    }

    /** @return array{int, int} bytes and inodes below a directory */
    private static function measured(string $directory): array
    {
        [$bytes, $inodes] = [0, 0];
        foreach (array_diff((array) scandir($directory), ['.', '..']) as $name) {
            $path = "$directory/$name";
            $isDirectory = is_dir($path) && !is_link($path);
            [$below, $inodesBelow] = $isDirectory ? self::measured($path) : [0, 0];
            $own = $isDirectory ? 1 : (int) ceil((lstat($path)['size'] ?? 0) / self::BLOCK);
            $bytes += $below + max(1, $own) * self::BLOCK;
            $inodes += $inodesBelow + 1;
        }

        return [$bytes, $inodes];
    }
}
