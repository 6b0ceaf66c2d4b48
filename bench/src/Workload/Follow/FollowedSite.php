<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Follow;

use Closure;
use Composer\InstalledVersions;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Server\PageSite;
use Larder\Follow\Log;
use Larder\Follow\MariaDb\BinaryLog;
use Larder\Follow\PostgreSql\LogicalSlot;
use Larder\Follow\Queries;
use Larder\Follow\State;
use Larder\Page\Pages;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Process\Command;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Site\DeployedSite;
use PDO;
use PDOStatement;

/** The example site on nginx and php-fpm, its database with a log, and a follower of that log. */
final class FollowedSite
{
    public const ITEMS = 50;

    /** Rows of the table `other`, which no page is made from. */
    public const OTHERS = 10_000;

    /** Seconds after which what does not come is called missing. */
    private const PATIENCE = 120.0;

    public readonly PDO $plain;
    public readonly State $state;
    public readonly Command $follower;
    private readonly DeployedSite $site;
    private readonly Log $log;
    private readonly PDOStatement $update;

    /** @var array<int, string> summaries by item */
    private array $summaries = [];

    /** @param string $directory of its own */
    public function __construct(string $directory, public readonly Database $database)
    {
        $root = (string) PageSite::root(null);
        $isMariaDb = $database->kind === DatabaseKind::MariaDb;
        $schema = @file_get_contents("$root/sql/schema." . ($isMariaDb ? 'mysql' : 'pgsql') . '.sql');
        if ($schema === false) {
            throw new NotApplicable('there is no example site beside the bench');
        }
        $this->plain = $database->connect();
        foreach (explode(";\n", trim($schema)) as $statement) {
            $this->plain->exec($statement);
        }
        $this->plain->exec('CREATE TABLE other (id INTEGER NOT NULL PRIMARY KEY, n INTEGER NOT NULL)');
        foreach ($isMariaDb ? [] : ['news', 'comment', 'word', 'other'] as $table) {
            $this->plain->exec("ALTER TABLE $table REPLICA IDENTITY FULL");
        }
        for ($id = 1; $id <= self::ITEMS; ++$id) {
            $this->plain->exec("INSERT INTO news VALUES ($id, 'Title $id', 'short', 'long', 'jars', 'Ida')");
        }
        foreach (array_chunk(range(1, self::OTHERS), 1000) as $ids) {
            $this->plain->exec('INSERT INTO other VALUES (' . implode(', 0), (', $ids) . ', 0)');
        }
        $this->update = $this->plain->prepare('UPDATE news SET summary = ? WHERE id = ?');
        $this->site = DeployedSite::start($root, "$directory/site", $database, 2, ['APP_STORE' => 'none']);
        mkdir("$directory/follow");
        file_put_contents("$directory/follow.php", \sprintf(
            '<?php foreach (%s as $name => $value) { putenv("$name=$value"); } $site = require %s; '
                . 'return new Larder\Follow\Followed('
                . 'static fn() => Larder\Page\Pages::of($site)->ledger(), '
                . '%s, name: "bench", settings: new Larder\Follow\Settings(3600.0), log: %s);',
            var_export($this->site->environment, true),
            var_export("$root/larder.php", true),
            var_export("$directory/follow", true),
            var_export($database->access("$directory/follow"), true),
        ));
        $program = (string) realpath((string) InstalledVersions::getInstallPath('larder/console')) . '/bin/larder';
        $this->follower = new Command([PHP_BINARY, $program, 'follow', "$directory/follow.php"]);
        $this->state = new State("$directory/follow");
        $queries = new Queries($database->connect());
        $this->log = $isMariaDb ? new BinaryLog($queries, []) : new LogicalSlot($queries, 'larder_bench');
        $this->await(fn(): bool => $this->state->position() !== null, 'the follower');
    }

    /**
     * Changes an item whose page is stored.
     *
     * @return int nanoseconds from COMMIT until the page is gone
     */
    public function change(int $item): int
    {
        $release = Pages::of($this->site->site)->release()->id ?? throw new Failed('nothing is deployed');
        $page = "{$this->site->pages}/r/$release/news/$item~page";
        // A render is not stored if what it read may have changed meanwhile, also by a name of the same slot.
        $this->await(function () use ($page, $item): bool {
            $this->ask($item);
            clearstatcache();

            return is_file($page);
        }, "the page of item $item in the page store", 50);
        $this->summaries[$item] = 'changed ' . hrtime(true);
        $this->plain->beginTransaction();
        $this->update->execute([$this->summaries[$item], $item]);
        $began = hrtime(true);
        $this->plain->commit();
        $this->await(static function () use ($page): bool {
            clearstatcache();

            return !is_file($page);
        }, "the end of $page", 50);
        $took = hrtime(true) - $began;
        $this->ask($item);

        return $took;
    }

    /** Waits until the follower has acknowledged all that is committed. */
    public function awaitEnd(): void
    {
        $end = $this->log->end();
        $hasReached = fn(): bool => ($this->state->position()[0] ?? null)?->hasReached($end) === true;
        $this->await($hasReached, 'the end of the log', 1000);
    }

    /** @return array<string, mixed> the status that the follower tells after this call */
    public function status(): array
    {
        $now = microtime(true);
        $this->await(fn(): bool => ($this->state->status()['at'] ?? 0) > $now, 'a sign of the follower');

        return $this->state->status();
    }

    /** @return float MB, of the follower, by the name that Linux gives it */
    public function memory(string $name): float
    {
        $status = (string) @file_get_contents("/proc/{$this->follower->pid}/status");
        preg_match("/^$name:\\s+(\\d+) kB/m", $status, $found);

        return (int) ($found[1] ?? throw new Failed('the follower has ended')) / 1024;
    }

    public function stop(): void
    {
        $this->follower->end();
        $this->site->stop();
    }

    /** Asks for the page of an item, which must have what was committed last. */
    private function ask(int $item): void
    {
        $body = Connection::ask("127.0.0.1:{$this->site->running->port}", 'GET', "/news/$item")->body;
        if (!str_contains($body, $this->summaries[$item] ?? 'short')) {
            throw new WrongReply("the page of item $item is an old one");
        }
    }

    /** @param Closure(): bool $isSo */
    private function await(Closure $isSo, string $what, int $pause = 10_000): void
    {
        for ($end = microtime(true) + self::PATIENCE; !$isSo(); usleep($pause)) {
            if (microtime(true) > $end || $this->follower->hasEnded()) {
                throw new Failed("it did not come: $what; the follower: " . $this->follower->complaint());
            }
        }
    }
}
