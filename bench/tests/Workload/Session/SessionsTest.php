<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Session;

use InvalidArgumentException;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Session\Sessions;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** nginx, php-fpm and memcached, with each save handler. */
#[CoversClass(Sessions::class)]
final class SessionsTest extends TestCase
{
    private const CONNECTIONS = 3;

    private TemporaryDirectory $directory;
    private Memcached $memcached;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('ls');
        chmod($this->directory->path, 0o755);
        $this->memcached = new Memcached($this->directory->path . '/memcached');
    }

    protected function tearDown(): void
    {
        $this->memcached->stop();
        $this->directory->remove();
    }

    /** @return iterable<string, array{string, string}> */
    public static function handlers(): iterable
    {
        foreach (array_column(Sessions::subjects(), 'id') as $id) {
            yield "$id, apart" => [$id, 'apart'];
            yield "$id, one" => [$id, 'one'];
        }
    }

    #[DataProvider('handlers')]
    public function testEveryRequestThatIsAnsweredIsInItsSession(string $id, string $session): void
    {
        $definition = self::handler($id);
        if ($definition->missing() !== []) {
            self::markTestSkipped('needs PHP with ' . implode(', ', $definition->missing()));
        }
        $measured = (new Sessions())->measure($this->job($id, $session), $definition);

        self::assertGreaterThan(0, $measured->window->operations);
        self::assertSame($measured->window->operations, $measured->coverage?->checked);
        // Each worker has its session, or all have one.
        $ids = (array) glob($this->directory->path . '/s*/tmp/*');
        $names = array_map(static fn(mixed $file): string => basename((string) $file), $ids);
        self::assertSame($session === 'one', $names === ['one']);
        self::assertLessThanOrEqual(self::CONNECTIONS, \count($names));
    }

    public function testARequestThatIsInNoSessionIsAWrongAnswer(): void
    {
        $address = 'tcp://' . $this->memcached->endpoint()->address();
        $forgetting = new WorkerPool(static function () use ($address): never {
            for (;; usleep(50_000)) {
                Exchange::with($address, "flush_all\r\n", "\r\n");
            }
        });
        $forgetting->fill(1);
        try {
            $this->expectException(WrongReply::class);
            $this->expectExceptionMessage('are in no session');
            (new Sessions())->measure($this->job('session-memcache', 'one'), self::handler('session-memcache'));
        } finally {
            $forgetting->killAll();
        }
    }

    public function testOtherWaysToShareAreRefused(): void
    {
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('apart or one');
        (new Sessions())->measure($this->job('session-memcached', 'two'), self::handler('session-memcached'));
    }

    private static function handler(string $id): Definition
    {
        return (new Catalogue(Sessions::subjects()))->get($id);
    }

    private function job(string $id, string $session): Job
    {
        return new Job(
            'sessions',
            $id,
            ['session' => $session, 'connections' => self::CONNECTIONS],
            0.3,
            0,
            1,
            [$this->memcached->endpoint()],
            $this->directory->path,
            'bench:',
        );
    }
}
