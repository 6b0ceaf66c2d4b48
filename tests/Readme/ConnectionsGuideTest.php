<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** Runs the PHP of docs/how-to/dbal-and-mysqli.md: what it reads is named, and what it writes raises versions. */
#[CoversNothing]
#[RequiresPhpExtension('mysqli')]
#[RequiresPhpExtension('pdo_mysql')]
final class ConnectionsGuideTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';

    private const PREPARE = <<<'PHP'
        [, $root, $wpdb] = $argv;
        require $root . '/vendor/autoload.php';
        $site = require 'larder.php';
        Larder\Sql\Ledger\SqlLedger::forValues(Larder\Page\Pages::of($site)->connect())->deploy();
        $connection = Larder\Page\Pages::of($site)->connect();
        $second = $connection->tracker()->second();
        $second->change('DROP TABLE IF EXISTS news');
        $second->change('CREATE TABLE news (id INT AUTO_INCREMENT PRIMARY KEY, title VARCHAR(40) NOT NULL)');
        $raises = static fn(): int => $second->rows('SELECT COUNT(*) AS n FROM larder_raise')[0]['n'];
        $names = static function (Larder\Sql\Tracker\TrackedConnection $connection, Closure $read): array {
            $reads = new Larder\Sql\Tracker\RecordedReads($connection->registry());
            $made = $connection->tracker()->record($reads, $read);
            return [$made, $reads->names()];
        };
        PHP;

    private const DBAL = <<<'PHP'
        $dbal = require 'entities.php';
        $before = $raises();
        $dbal->insert('news', ['title' => 'Four']);
        $read = fn() => $dbal->fetchOne('SELECT title FROM news WHERE id = ?', [1]);
        echo json_encode([$raises() > $before, $names($dbal->getNativeConnection(), $read)]);
        PHP;

    private const MYSQLI = <<<'PHP'
        $mysqli = Larder\Page\Pages::of($site)->connect();
        $before = $raises();
        $mysqli->query("INSERT INTO news (title) VALUES ('Four')");
        $read = fn() => $mysqli->query('SELECT title FROM news WHERE id = 1')->fetch_column();
        echo json_encode([$raises() > $before, $names($mysqli, $read)]);
        PHP;

    private const WORDPRESS = <<<'PHP'
        define('ABSPATH', getcwd() . '/');
        define('WP_DEBUG', false);
        define('WP_DEBUG_DISPLAY', false);
        define('DB_HOST', getenv('DB_HOST') . ':' . getenv('DB_PORT'));
        foreach (['DB_USER', 'DB_PASSWORD', 'DB_NAME'] as $name) {
            define($name, getenv($name));
        }
        foreach ([
            'apply_filters' => '$name, $value', 'absint' => '$value', 'add_filter' => '$value', '__' => '$value',
            'mbstring_binary_safe_encoding' => '$value = null', 'reset_mbstring_encoding' => '$value = null',
            'wp_load_translations_early' => '$value = null', 'is_multisite' => '$value = false',
            'has_filter' => '$name, $callback = null, $value = true',
        ] as $function => $parameters) {
            eval("function $function($parameters) { return \$value; }");
        }
        final class WP_Error {}
        function is_wp_error($thing) { return $thing instanceof WP_Error; }
        require $wpdb;
        require 'wp-content/db.php';
        $dbh = (fn() => $this->dbh)->call($wpdb);
        $wpdb->suppress_errors = true;
        $before = $raises();
        $inserted = [$wpdb->query("INSERT INTO news (title) VALUES ('Four')"), $wpdb->insert_id];
        $isRaised = $raises() > $before;
        $read = function () use ($wpdb): string {
            $wpdb->query('SELECT title FROM news WHERE id = 1');
            return $wpdb->last_result[0]->title;
        };
        $named = $names($dbh, $read);
        assert($inserted === [1, 1] && $wpdb->query('SELECT nothing FROM news') === false && $wpdb->last_error !== '');
        assert($wpdb->query("UPDATE news SET title = 'Fünf'") === 1 && $wpdb->query("SELECT '\xff'") === false);
        assert($wpdb->query('DROP TABLE news') === true);
        echo json_encode([$isRaised, $named]);
        PHP;

    private static TemporaryDirectory $directory;

    private static MariaDb $server;

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory();
        self::$server = new MariaDb(self::$directory->path . '/server', [0]);
        $guide = (string) file_get_contents(self::ROOT . '/docs/how-to/dbal-and-mysqli.md');
        preg_match_all('~^```php\n// (\S+)\n(.+?)^```$~ms', $guide, $blocks, PREG_SET_ORDER);
        foreach (['wp-content', 'vendor'] as $folder) {
            mkdir(self::$directory->path . '/' . $folder);
        }
        touch(self::$directory->path . '/vendor/autoload.php');
        foreach ($blocks as [, $name, $code]) {
            file_put_contents(self::$directory->path . '/' . $name, "<?php\n" . $code);
        }
    }

    public static function tearDownAfterClass(): void
    {
        self::$server->stop();
        self::$directory->remove();
    }

    #[TestWith([self::DBAL])]
    #[TestWith([self::MYSQLI])]
    #[TestWith([self::WORDPRESS])]
    public function testItsCodeIsFollowed(string $code): void
    {
        $endpoint = self::$server->endpoint();
        // Or the file of a WordPress: LARDER_WPDB=…/wp-includes/class-wpdb.php
        $given = getenv('LARDER_WPDB');
        $wpdb = $given === false ? __DIR__ . '/fixtures/wpdb.php' : $given;
        $process = new Process(
            [PHP_BINARY, '-d', 'zend.assertions=1', '-r', self::PREPARE . "\n" . $code, '--', self::ROOT, $wpdb],
            self::$directory->path,
            [
                'DB_HOST' => '127.0.0.1', 'DB_PORT' => (string) $endpoint->port, 'DB_NAME' => 'bench',
                'DB_USER' => $endpoint->extra['user'] ?? '', 'DB_PASSWORD' => $endpoint->extra['password'] ?? '',
            ],
        );
        $process->run();

        self::assertSame('', $process->getErrorOutput());
        self::assertSame('[true,["Four",["news!","news:1"]]]', $process->getOutput());
    }
}
