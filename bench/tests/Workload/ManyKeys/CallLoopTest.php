<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\ManyKeys;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Calls;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Floor\RawMemcached;
use Larder\Bench\Tests\Subject\Servers;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\ManyKeys\CallLoop;
use Larder\Testbed\Server\Endpoint;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** On real servers: the floor says what was stored, and notices when something else comes back. */
#[CoversClass(CallLoop::class)]
#[CoversClass(RawMemcached::class)]
final class CallLoopTest extends TestCase
{
    private static ?Servers $servers = null;

    public static function setUpBeforeClass(): void
    {
        self::$servers = new Servers();
    }

    public static function tearDownAfterClass(): void
    {
        self::$servers?->stop();
        self::$servers = null;
    }

    /** @return iterable<string, array{string, Calls}> */
    public static function cells(): iterable
    {
        foreach ([
            'raw', 'raw-meta', 'raw-unix', 'raw@3', 'memcached', 'memcache', 'larder', 'larder-unshared', 'larder-unix',
            'larder-singly', 'larder@3',
        ] as $id) {
            foreach (Calls::cases() as $calls) {
                yield $id . ' ' . $calls->value => [$id, $calls];
            }
        }
    }

    #[DataProvider('cells')]
    public function testEachRoundDoesTheWholeBatch(string $id, Calls $calls): void
    {
        $definition = $this->definition($id);
        $before = $this->commands($definition);
        $step = $this->step($definition, $calls, ['batch' => 7]);
        ($step->run)();

        self::assertGreaterThanOrEqual(7, $step->operations);
        self::assertSame(0, $step->operations % 7);
        self::assertGreaterThan($before + $step->operations, $this->commands($definition));
    }

    public function testEachServerHasItsShare(): void
    {
        $definition = $this->definition('raw@3');
        $step = $this->step($definition, Calls::GetMany, ['per_server' => 5]);

        self::assertSame(0, $step->operations % 15);
    }

    public function testAnotherValueIsNoticed(): void
    {
        foreach (['raw', 'raw-meta', 'memcached'] as $id) {
            $definition = $this->definition($id);
            $step = $this->step($definition, Calls::GetMany, ['batch' => 3]);
            ($step->run)();
            $client = new \Memcached();
            $client->addServer('127.0.0.1', $this->endpoints($definition)[0]->port);
            $key = $id . ':get_many0:1';
            $value = $client->get($key);
            self::assertIsString($value);
            self::assertTrue($client->set($key, strrev($value)));
            try {
                ($step->run)();
                self::fail($id . ' took another value for its own');
            } catch (Failed|WrongReply) {
            }
        }
    }

    private function definition(string $id): Definition
    {
        $definition = Catalogue::standard()->get($id);
        if ($definition->missing() !== []) {
            self::markTestSkipped('needs PHP with ' . implode(', ', $definition->missing()));
        }

        return $definition;
    }

    /** @param array<string, bool|float|int|string> $parameters */
    private function step(Definition $definition, Calls $calls, array $parameters): \Larder\Bench\Workload\Step
    {
        $servers = self::$servers;
        self::assertNotNull($servers);
        $job = new Job(
            'calls',
            $definition->id,
            [...$parameters, 'values' => 'even'],
            0.01,
            0,
            1,
            $this->endpoints($definition),
            $servers->directory . '/run',
            $definition->id . ':',
        );
        $subject = ($definition->make)();
        $subject->connect($job->context());

        return (new CallLoop($calls))->step($subject, $job, 0);
    }

    /** @return list<Endpoint> */
    private function endpoints(Definition $definition): array
    {
        self::assertContains($definition->needs, [Kind::Memcached, Kind::MemcachedUnix]);

        return self::$servers?->endpoints($definition->needs, $definition->instances) ?? [];
    }

    /** Gets, sets, deletes, touches and counts that the servers have seen. */
    private function commands(Definition $definition): int
    {
        $sum = 0;
        foreach ($this->endpoints($definition) as $endpoint) {
            $stats = (string) \Larder\Testbed\Net\Exchange::with(
                $endpoint->socket !== null
                    ? 'unix://' . $endpoint->socket
                    : \sprintf('tcp://%s:%d', $endpoint->host, $endpoint->port),
                "stats\r\n",
                "END\r\n",
                1.0,
            );
            preg_match_all('/^STAT (?:cmd_get|cmd_set|delete_hits|delete_misses|incr_hits) (\d+)/m', $stats, $found);
            $sum += array_sum(array_map(intval(...), $found[1]));
        }

        return $sum;
    }
}
