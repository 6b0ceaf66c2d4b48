<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

use Larder\Page\MemcachedNodes;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Site\RunningSite;
use RuntimeException;
use Symfony\Component\Process\Process;

/**
 * A web server with its guard over two memcached servers for pages and MariaDB. One of the two is stopped and resumed;
 * what visitors of its page and of one of the other server wait is measured, and what writers wait.
 */
final class GuardCost
{
    private const SITE = <<<'PHP'
        <?php

        use Larder\Page\Attribute\Reads;

        require_once %s;

        #[Reads('news')]
        final class GuardCostController {}

        return static fn(): Larder\Page\Site => new Larder\Page\Site(
            name: 'cost',
            hosts: ['localhost'],
            pages: __DIR__ . '/pages',
            list: __DIR__ . '/list.php',
            controllers: [GuardCostController::class],
            connect: static fn() => new Larder\Sql\Tracker\RecordingPdo(...%s),
            operations: new Larder\Page\Operations(code: []),
            storage: new Larder\Page\Storage(memcached: %s, guard: __DIR__ . '/guard'),
        );
        PHP;

    private const FRONT = <<<'PHP'
        <?php
        $site = (require __DIR__ . '/site.php')();
        $database = Larder\Page\Pages::of($site)->connect();
        Larder\Page\Pages::of($site)->plainFront($database)->run(GuardCostController::class, static function () use (
            $database,
        ): void {
            $id = (int) substr($_SERVER['REQUEST_URI'], 1);
            echo $database->select('SELECT title FROM news WHERE id = ?', [$id])[0]['title'];
        });
        PHP;

    private readonly MariaDb $mariadb;

    /** @var array{Memcached, Memcached} */
    private readonly array $memcached;

    private readonly Site $site;

    private readonly RecordingPdo $writer;

    private readonly RunningSite $running;

    private readonly Process $guard;

    /** @var array<string, list<float>> */
    private array $measured = [];

    /** What belongs to the web server. */
    private readonly string $home;

    public function __construct(string $directory)
    {
        $this->home = $directory . '/home';
        $this->mariadb = new MariaDb($directory . '/db', [], ['innodb-flush-log-at-trx-commit' => '1']);
        $this->memcached = [new Memcached($directory . '/1'), new Memcached($directory . '/2')];
        ['dsn' => $dsn, 'user' => $user, 'password' => $password] = $this->mariadb->endpoint()->extra;
        mkdir($this->home . '/guard', recursive: true);
        file_put_contents($this->home . '/site.php', \sprintf(
            self::SITE,
            var_export(\dirname(__DIR__, 3) . '/vendor/autoload.php', true),
            var_export(['dsn' => $dsn, 'user' => $user, 'password' => $password], true),
            var_export(array_map(
                static fn(Memcached $server): string => '127.0.0.1:' . $server->endpoint()->port,
                $this->memcached,
            ), true),
        ));
        file_put_contents($this->home . '/larder.php', "<?php return (require __DIR__ . '/site.php')();\n");
        file_put_contents($this->home . '/front.php', self::FRONT);
        $make = require $this->home . '/site.php';
        $site = \is_callable($make) ? $make() : null;
        $this->site = $site instanceof Site ? $site : throw new RuntimeException('There is no site.');
        $writer = Pages::of($this->site)->connect();
        $this->writer = $writer instanceof RecordingPdo ? $writer : throw new RuntimeException('There is no writer.');
        $this->writer->exec('CREATE TABLE news (id INT PRIMARY KEY, title TEXT)');
        Pages::of($this->site)->deploy();
        $this->larder('--once', '--test=true', '--reload=true')->mustRun();
        $this->running = RunningSite::start(
            $this->site,
            $this->home . '/run',
            $this->home . '/front.php',
            workers: 2,
            isPatient: false,
        );
        $run = $this->home . '/run';
        $this->guard = $this->larder(
            "--test=nginx -t -q -p $run -e $run/test.log -c $run/nginx.conf",
            '--reload=kill -HUP ' . $this->running->nginx->pid(),
        );
        $this->guard->start();
    }

    public function stop(): void
    {
        $this->guard->stop(5.0);
        foreach ([$this->running, ...$this->memcached, $this->mariadb] as $server) {
            $server->stop();
        }
    }

    /** @return array<string, list<float>> milliseconds */
    public function measure(int $rounds): array
    {
        [$stopped, $other] = [$this->newsOn(0), $this->newsOn(1)];
        $this->until(fn(): bool => $this->isHit($stopped) && $this->isHit($other) && $this->last() === 'up');
        for ($round = 0; $round < $rounds; ++$round) {
            $this->round($stopped, $other);
        }

        return $this->measured;
    }

    private function round(int $stopped, int $other): void
    {
        $readers = $this->reader($other);
        usleep(random_int(0, 500_000));
        $this->memcached[0]->pause();
        $begin = hrtime(true);
        $change = fn() => $this->change($stopped);
        $this->time('a change of its page, before', $change);
        while ($this->last() !== 'out') {
            $this->time('a request for its page, before', fn() => $this->isHit($stopped));
        }
        $this->note('until the server was out', $begin);
        for ($request = 0; $request < 20; ++$request) {
            $this->time('a request for its page, after', fn() => $this->isHit($stopped));
            $this->time('a change of its page, after', $change);
        }
        $this->memcached[0]->resume();
        $begin = hrtime(true);
        $this->until(fn(): bool => $this->last() === 'up');
        $this->note('until it was back', $begin);
        $this->until(fn(): bool => $this->isHit($stopped));
        touch($this->home . '/stop');
        foreach ($readers->end(20.0) as $end) {
            foreach ((array) $end->result as $milliseconds) {
                $this->measured['a request for a page of the other, meanwhile'][] = is_numeric($milliseconds)
                    ? (float) $milliseconds
                    : throw new RuntimeException('A page of the other server was no hit.');
            }
        }
    }

    private function reader(int $news): WorkerPool
    {
        @unlink($this->home . '/stop');
        $readers = new WorkerPool(function () use ($news): array {
            $times = [];
            while (!is_file($this->home . '/stop')) {
                $begin = hrtime(true);
                $times[] = $this->isHit($news) ? (hrtime(true) - $begin) / 1e6 : 'no hit';
                usleep(2_000);
            }

            return $times;
        });
        $readers->fill(1);

        return $readers;
    }

    private function newsOn(int $server): int
    {
        $nodes = new MemcachedNodes($this->site->storage->memcached === [] ? [''] : $this->site->storage->memcached);
        $id = 1;
        while ($nodes->of("larder/cost/$id") !== $server) {
            ++$id;
        }
        $this->writer->exec("INSERT INTO news VALUES ($id, 'title')");

        return $id;
    }

    private function isHit(int $news): bool
    {
        $answer = Connection::ask('127.0.0.1:' . $this->running->port, 'GET', "/$news", ['Host' => 'localhost']);

        return $answer->status === 200 && ($answer->headers['cache-status'] ?? '') === 'larder; hit';
    }

    private function change(int $news): void
    {
        try {
            $this->writer->exec("UPDATE news SET title = 'other' WHERE id = $news");
        } catch (LedgerUnavailable) {
            return;
        }
        throw new RuntimeException('The change has to fail.');
    }

    /** @return string the state that the guard said last of the first server */
    private function last(): string
    {
        $server = preg_quote($this->site->storage->memcached[0] ?? '');
        preg_match_all("/\"server\":\"$server\",\"state\":\"(\\w+)\"/", $this->guard->getOutput(), $found);

        return $found[1][\count($found[1]) - 1] ?? '';
    }

    /** @param callable(): bool $isDone */
    private function until(callable $isDone): void
    {
        while (!$isDone()) {
            if (!$this->guard->isRunning()) {
                throw new RuntimeException('The guard has ended: ' . $this->guard->getErrorOutput());
            }
            usleep(1_000);
        }
    }

    /** @param callable(): mixed $do */
    private function time(string $what, callable $do): void
    {
        $begin = hrtime(true);
        $do();
        $this->note($what, $begin);
    }

    private function note(string $what, int|float $begin): void
    {
        $this->measured[$what][] = (hrtime(true) - $begin) / 1e6;
    }

    private function larder(string ...$options): Process
    {
        $program = \dirname(__DIR__, 3) . '/packages/console/bin/larder';
        $site = "--site={$this->home}/larder.php";

        return new Process([PHP_BINARY, $program, 'guard', $site, '--format=json', ...$options], timeout: null);
    }
}
