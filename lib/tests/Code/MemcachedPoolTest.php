<?php

declare(strict_types=1);

namespace Larder\Tests\Code;

use Larder\Code\MemcachedPool;
use Larder\Exception\CodePoolFailed;
use Larder\Store\Net\MetaConnection;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(MemcachedPool::class)]
#[CoversClass(MetaConnection::class)]
final class MemcachedPoolTest extends TestCase
{
    private TemporaryDirectory $directory;

    /** @var list<Memcached> */
    private array $servers = [];

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('larder-code-pool');
        foreach ([0, 1, 2] as $number) {
            $this->servers[] = new Memcached($this->directory->path . '/' . $number, $number === 2);
        }
    }

    protected function tearDown(): void
    {
        foreach ($this->servers as $server) {
            $server->stop();
        }
        $this->directory->remove();
    }

    public function testValuesLieOnAllServers(): void
    {
        $pool = $this->pool();
        $values = [];
        for ($number = 1; $number <= 60; ++$number) {
            $values["key.$number"] = random_bytes($number * 15_000);
        }
        $pool->store($values);
        $found = $pool->fetch(array_keys($values));
        ksort($values);
        ksort($found);
        self::assertTrue($values === $found);
        self::assertSame(['key.7'], $pool->present(['none', 'key.7']));
        self::assertSame(2, $pool->remove(['key.7', 'key.8', 'none']));
        self::assertSame([], $pool->fetch(['key.7']));
        self::assertSame([], $pool->fetch([]));
        self::assertSame(5, $pool->trips(), 'none for nothing');
        foreach ($this->servers as $server) {
            $one = new MemcachedPool($server->endpoint()->address());
            $found = \count($one->present(array_keys($values)));
            self::assertGreaterThan(5, $found);
            self::assertLessThan(40, $found);
        }
    }

    public function testAValueIsReplacedOnlyIfItIsTheOneThatWasRead(): void
    {
        $pool = $this->pool();
        self::assertTrue($pool->replace('head', null, 'one'));
        self::assertFalse($pool->replace('head', null, 'two'));
        self::assertFalse($pool->replace('head', 'zero', 'two'));
        self::assertTrue($pool->replace('head', 'one', 'two'));
        self::assertSame(['head' => 'two'], $pool->fetch(['head']));
    }

    public function testAServerThatIsGoneIsNamed(): void
    {
        $pool = $this->pool();
        $values = [];
        for ($number = 1; $number <= 60; ++$number) {
            $values["key.$number"] = (string) $number;
        }
        $pool->store($values);
        $this->servers[0]->stop();
        try {
            $pool->fetch(array_keys($values));
            self::fail('a server is gone');
        } catch (CodePoolFailed $failure) {
            self::assertStringContainsString($this->servers[0]->endpoint()->address(), $failure->getMessage());
        }
    }

    public function testAServerThatDoesNotAnswerEndsTheCallAtItsDeadline(): void
    {
        $silent = stream_socket_server('tcp://127.0.0.1:0');
        self::assertIsResource($silent);
        $pool = new MemcachedPool((string) stream_socket_get_name($silent, false), 0.05);
        $this->expectException(CodePoolFailed::class);
        $this->expectExceptionMessage('did not answer in time');
        $pool->fetch(['a']);
    }

    public function testAValueThatTheServerDoesNotTakeIsToldWithItsRemedy(): void
    {
        $this->expectException(CodePoolFailed::class);
        $this->expectExceptionMessage('too large for cache. Start it with -I 1m or more');
        $this->pool()->store(['a' => str_repeat('x', 1_100_000)]);
    }

    private function pool(): MemcachedPool
    {
        return new MemcachedPool(array_map(
            static fn(Memcached $server): string => $server->endpoint()->address(),
            $this->servers,
        ));
    }
}
