<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Site;

use Larder\Page\Pages;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\Site\DeployedSite;
use Larder\Testbed\Tests\Server\ServerTestCase;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(DeployedSite::class)]
final class DeployedSiteTest extends ServerTestCase
{
    private const ROOT = __DIR__ . '/fixtures/site';

    public function testASiteRunsOnACopyOfItsDatabase(): void
    {
        $progress = [];
        $database = DeployedSite::database(self::ROOT, $this->directory . '/kept', 3, static function (
            int $items,
        ) use (&$progress): void {
            $progress[] = $items;
        });
        self::assertSame(3, end($progress));
        self::assertSame(
            $database,
            DeployedSite::database(
                self::ROOT,
                $this->directory . '/kept',
                3,
                static fn() => self::fail('It is there.'),
            ),
        );

        $further = '';
        $site = DeployedSite::start(
            self::ROOT,
            $this->directory . '/run',
            Database::copy($database, $this->directory . '/copy'),
            workers: 1,
            environment: ['FURTHER' => 'yes'],
            more: static function (int $port, string $pages, string $socket) use (&$further): string {
                $further = "$port $pages $socket";

                return '';
            },
        );
        $said = json_decode((string) file_get_contents($site->running->url . '/any'), true);

        self::assertSame(['database' => $site->database->name, 'further' => 'yes', 'pages' => $site->pages], $said);
        self::assertSame("{$site->running->port} {$site->pages} {$this->directory}/run/php.sock", $further);
        self::assertStringContainsString('black', (string) file_get_contents($site->running->url . '/style.css'));
        self::assertSame($site->pages, $site->site->pages);
        self::assertSame(3, self::items($site->database->name));
        self::assertNotSame($database, $site->database->name);
        self::assertFalse(getenv('APP_DATABASE'), 'The environment is as before.');

        Pages::of($site->site)->connect()->exec('DELETE FROM item');
        self::assertSame(0, self::items($site->database->name));
        self::assertSame(3, self::items($database));
        $pids = $site->running->pids();
        $site->stop();
        self::assertEnd($pids);
        self::assertDirectoryDoesNotExist($site->pages);
    }

    public function testAnotherHostHasItsOwnServersAndTheListOfTheFirst(): void
    {
        $file = DeployedSite::database(self::ROOT, $this->directory . '/kept', 3, static fn() => null);
        $database = Database::copy($file, $this->directory . '/copy');
        $start = fn(string $name, ?DeployedSite $first = null): DeployedSite => DeployedSite::start(
            self::ROOT,
            "$this->directory/$name",
            $database,
            workers: 1,
            first: $first,
        );
        $one = $start('one');
        $other = $start('other', $one);
        self::assertNotSame([$one->pages, $one->site->list], [$other->pages, $other->site->list]);
        $said = json_decode((string) file_get_contents($other->running->url . '/any'), true);
        self::assertSame(['database' => $database->name, 'further' => false, 'pages' => $other->pages], $said);
        self::assertFileEquals($one->site->list, $other->site->list);

        Pages::of($one->site)->deploy();
        self::assertFileNotEquals($one->site->list, $other->site->list);
        $other->copyList($one);
        self::assertFileEquals($one->site->list, $other->site->list);

        $pids = $other->running->pids();
        $other->stop();
        self::assertEnd($pids);
        self::assertStringContainsString('pages', (string) file_get_contents($one->running->url . '/any'));
        $one->stop();
    }

    public function testAFailedImportSaysWhyAndLeavesNoFile(): void
    {
        try {
            DeployedSite::database(self::ROOT, $this->directory, 13, static fn() => null);
            self::fail('There is an item 13.');
        } catch (ServerFailed $failed) {
            self::assertStringContainsString('There is no item 13.', $failed->getMessage());
        }
        self::assertSame([], glob($this->directory . '/items-*'));
    }

    private static function items(string $database): mixed
    {
        $count = (new PDO('sqlite:' . $database))->query('SELECT COUNT(*) FROM item');

        return $count === false ? null : $count->fetchColumn();
    }
}
