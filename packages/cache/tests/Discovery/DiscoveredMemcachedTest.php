<?php

declare(strict_types=1);

namespace Larder\Tests\Discovery;

use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Store\MemcachedServers;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** In processes that have the extension. */
#[CoversNothing]
final class DiscoveredMemcachedTest extends TestCase
{
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testTheClientStaysWhileTheServersStay(): void
    {
        $told = $this->told(<<<'PHP'
            $source = new Larder\Tests\Discovery\GivenServers(['a:1' => 1]);
            $made = [];
            $connect = static function (array $servers) use (&$made): Larder\Memcached {
                $made[] = $servers;

                return new Larder\Memcached($servers, timeout: 50);
            };
            $servers = new Larder\Discovery\DiscoveredMemcached($source, $connect);
            $first = $servers->client();
            $isSame = $servers->client() === $first;
            $source->servers = ['b:1' => 2, 'a:1' => 1];
            $second = $servers->client();
            $isOther = $second !== $first && $second->serverOf('k') !== '';
            $source->servers = ['b:1' => 1];
            $servers->client();
            // Code that still has the first one can go on using it.
            echo json_encode([$made, [], $isSame, $isOther, $first->serverOf('k') === 'a:1']);
            PHP);
        $made = [['a:1' => 1], ['a:1' => 1, 'b:1' => 2], ['b:1' => 1]];

        self::assertSame([$made, [], true, true, true], $told);
    }

    public function testTheClientStaysWhenNobodyKnowsTheServers(): void
    {
        $told = $this->told(<<<'PHP'
            $source = new Larder\Tests\Discovery\GivenServers(['a:1' => 1]);
            $log = new Larder\Tests\Support\TestLog();
            $connect = static fn(array $servers): Larder\Memcached => new Larder\Memcached($servers);
            $servers = new Larder\Discovery\DiscoveredMemcached($source, $connect, $log);
            $client = $servers->client();
            $source->servers = null;
            $stays = [$servers->client(), $servers->client()] === [$client, $client];
            try {
                (new Larder\Discovery\DiscoveredMemcached($source, $connect))->client();
                $reason = 'none';
            } catch (Larder\Exception\NoServersFound $failure) {
                $reason = $failure->getMessage();
            }
            echo json_encode([$stays, $log->lines(), $reason]);
            PHP);
        $lines = ['error: The memcached servers stay as they were. Nobody answers.'];

        self::assertSame([true, $lines, 'Nobody answers.'], $told);
    }

    public function testNoRequestFailsWhileServersAreAddedAndRemoved(): void
    {
        $servers = new MemcachedServers(3);
        $file = $this->directory->path . '/servers';
        $workers = [];
        try {
            $lists = [[0, 1, 2], [0, 1, 2, 3], [1, 2, 3], [2, 3, 4], [2, 4]];
            $this->place($file, $servers, $lists[0]);
            foreach ([1, 2] as $number) {
                $workers[$number] = $this->worker('load.php', $file, $number);
            }
            foreach ($lists as $turn => $list) {
                while ($servers->count() <= max($list)) {
                    $servers->start();
                }
                $this->place($file, $servers, $list);
                $this->await('seen', $file, array_keys($workers));
                foreach (array_diff($lists[$turn - 1] ?? [], $list) as $gone) {
                    $servers->kill($gone);
                }
                $this->await('worked', $file, array_keys($workers));
            }
            touch($this->directory->path . '/stop');
            foreach ($workers as $worker) {
                $worker->wait();
                $said = json_decode($worker->getOutput(), true);
                self::assertIsArray($said, $worker->getOutput() . $worker->getErrorOutput());
                self::assertSame([], $said['wrong']);
                self::assertSame(\count($lists), $said['lists']);
                self::assertGreaterThanOrEqual(1000 * \count($lists), $said['requests']);
            }
        } finally {
            foreach ($workers as $worker) {
                $worker->stop(0);
            }
            $servers->stop();
        }
    }

    /** A server that dies costs misses and writes that are not done: no exception, and no older value. */
    public function testNothingIsWrongWhileServersDieAndComeBackEmpty(): void
    {
        $servers = new MemcachedServers(3);
        $file = $this->directory->path . '/servers';
        $workers = [];
        try {
            // Only those of the beginning leave: see testAKeyThatComesBackToAServerHasItsValueOfBefore().
            $lists = [[0, 1, 2], [0, 1, 2, 3], [1, 2, 3], [1, 2, 3, 4], [2, 3, 4]];
            $this->place($file, $servers, $lists[0]);
            foreach ([1, 2] as $number) {
                $workers[$number] = $this->worker('dying.php', $file, $number);
            }
            foreach ($lists as $turn => $list) {
                while ($servers->count() <= max($list)) {
                    $servers->start();
                }
                $this->place($file, $servers, $list);
                $this->awaitRequests(400, $file, $workers);
                // In the midst of its work, and on the list all the time.
                $dies = $list[$turn % \count($list)];
                $servers->kill($dies);
                $this->awaitRequests(400, $file, $workers);
                $servers->restart($dies);
                $this->awaitRequests(400, $file, $workers);
            }
            touch($this->directory->path . '/stop');
            $requests = 0;
            foreach ($workers as $worker) {
                $worker->wait();
                $said = json_decode($worker->getOutput(), true);
                self::assertIsArray($said, $worker->getOutput() . $worker->getErrorOutput());
                self::assertSame([], $said['wrong']);
                self::assertSame(\count($lists), $said['lists']);
                self::assertGreaterThan(0, $said['unanswered'], 'each worker has met a dead server');
                self::assertIsInt($said['requests']);
                $requests += $said['requests'];
            }
            self::assertGreaterThanOrEqual(10_000, $requests);
        } finally {
            foreach ($workers as $worker) {
                $worker->stop(0);
            }
            $servers->stop();
        }
    }

    /** As docs/how-to/memcached.md says it: what a server kept of a key stays there while another one has the key. */
    public function testAKeyThatComesBackToAServerHasItsValueOfBefore(): void
    {
        $servers = new MemcachedServers(2);
        [$one, $two] = $servers->addresses();
        try {
            $told = $this->told(<<<PHP
                \$source = new Larder\Tests\Discovery\GivenServers(['$one' => 1]);
                \$servers = new Larder\Discovery\DiscoveredMemcached(
                    \$source,
                    static fn(array \$servers) => new Larder\Memcached(\$servers, timeout: 5000),
                );
                \$keys = array_map(static fn(int \$number): string => "key\$number", range(1, 50));
                \$servers->client()->setMultiple(array_fill_keys(\$keys, 'before'));
                \$source->servers = ['$one' => 1, '$two' => 1];
                \$moved = array_filter(\$keys, static fn(string \$key): bool
                    => \$servers->client()->serverOf(\$key) === '$two');
                \$misses = \$servers->client()->getMultiple(\$moved);
                \$servers->client()->setMultiple(array_fill_keys(\$keys, 'after'));
                \$source->servers = ['$one' => 1];
                \$found = \$servers->client()->getMultiple(\$keys);
                \$old = array_keys(\$found, 'before', true);
                echo json_encode([count(\$moved) > 0, \$misses, \$old === array_values(\$moved), count(\$found)]);
                PHP);
        } finally {
            $servers->stop();
        }

        self::assertSame([true, [], true, 50], $told);
    }

    private function worker(string $program, string $file, int $number): Process
    {
        $autoload = \dirname(__DIR__, 4) . '/vendor/autoload.php';
        $worker = Extension::process([], __DIR__ . '/' . $program, $autoload, $file, (string) $number);
        // What is waited for is counted, not timed.
        $worker->setTimeout(null);
        $worker->start();

        return $worker;
    }

    /**
     * Until each worker has made so many more, all of them on the present list.
     *
     * @param array<int, Process> $workers
     */
    private function awaitRequests(int $more, string $file, array $workers): void
    {
        $list = (string) file_get_contents($file);
        foreach ($workers as $number => $worker) {
            $from = null;
            for ($tries = 0;; ++$tries) {
                self::assertTrue($worker->isRunning(), $worker->getOutput() . $worker->getErrorOutput());
                self::assertLessThan(20_000, $tries, "worker $number makes no requests on the list");
                $said = (string) @file_get_contents($this->directory->path . "/count.$number");
                [$made, $its] = [(int) $said, substr((string) strstr($said, "\n"), 1)];
                $from ??= $its === $list ? $made : null;
                if ($from !== null && $made >= $from + $more) {
                    break;
                }
                usleep(5_000);
            }
        }
    }

    /** @param non-empty-list<int> $numbers */
    private function place(string $file, MemcachedServers $servers, array $numbers): void
    {
        file_put_contents($file . '.new', implode("\n", array_map($servers->address(...), $numbers)));
        rename($file . '.new', $file);
    }

    /**
     * Until each worker has seen the present list, or has worked on it.
     *
     * @param list<int> $workers
     */
    private function await(string $what, string $file, array $workers): void
    {
        $list = file_get_contents($file);
        foreach ($workers as $number) {
            for ($tries = 0; @file_get_contents($this->directory->path . "/$what.$number") !== $list; ++$tries) {
                self::assertLessThan(20_000, $tries, "worker $number has not $what the list");
                usleep(5_000);
            }
        }
    }

    private function told(string $program): mixed
    {
        return json_decode(Extension::output([], $program), true);
    }
}
