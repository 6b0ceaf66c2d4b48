<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Subject;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Run\WindowProcess;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Floor\Noop;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Server\Endpoint;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

final class ContractTest extends TestCase
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

    /** @return iterable<string, array{string}> */
    public static function subjects(): iterable
    {
        foreach (Catalogue::standard()->all() as $row) {
            if (
                ($row->can(KeyValue::class) || $row->can(Objects::class))
                && $row->class !== Noop::class
                && !str_ends_with($row->id, '-connect-only')
            ) {
                yield $row->id => [$row->id];
            }
        }
        foreach ([
            'memcached@3', 'memcached-tuned@2', 'memcached-binary@2', 'memcached+igbinary@2', 'larder@3',
            'larder-udp@2', 'memcache@2', 'phpredis@2', 'phpredis-pipelined@2', 'phpredis-partitioned@3',
            'phpredis+php@2', 'predis@2', 'predis-partitioned@3', 'memcached#2', 'larder-memcached@3',
            'larder-memcache@2',
        ] as $id) {
            yield $id => [$id];
        }
    }

    #[DataProvider('subjects')]
    public function testKeepsTheContract(string $id): void
    {
        $definition = $this->definition($id);
        if ($definition->needs === Kind::None && $definition->ini !== []) {
            self::assertSame([0, 'kept'], $this->contract($id, $definition->ini, []));

            return;
        }
        if ($definition->modules !== []) {
            $endpoints = $this->servers()->endpoints($definition->needs, $definition->instances);
            self::assertSame([0, 'kept'], $this->contract($id, [], $endpoints));

            return;
        }
        (new Contract(
            $definition,
            $this->servers()->endpoints($definition->needs, $definition->instances),
            $this->servers()->directory . '/run',
            $id . ':',
        ))->check();
    }

    #[DataProvider('subjects')]
    public function testHasAFairnessSheet(string $id): void
    {
        $definition = $this->definition($id);
        self::assertArrayHasKey('client', $definition->sheet()->terms);
        self::assertNotContains('', $definition->terms);
        if ($definition->needs !== Kind::None) {
            self::assertSame(
                [],
                array_diff(
                    ['client', 'protocol', 'transport', 'persistent', 'nodelay', 'compression', 'time-outs'],
                    array_keys($definition->terms),
                ),
            );
        }
    }

    /** @return iterable<string, array{string}> */
    public static function roundRobin(): iterable
    {
        yield 'phpredis' => ['phpredis@2'];
        yield 'phpredis-unix' => ['phpredis-unix@2'];
        yield 'phpredis-pipelined' => ['phpredis-pipelined@2'];
        yield 'predis' => ['predis@2'];
    }

    #[DataProvider('roundRobin')]
    public function testTheFillerReachesEveryInstanceAndAWorkerOne(string $id): void
    {
        $definition = $this->definition($id);
        $endpoints = $this->servers()->endpoints(Kind::Redis, 2);
        $job = new Job('test', $id, [], 0.1, 0, 1, $endpoints, $this->servers()->directory, $id . ':');
        $key = $id . ':mine';
        foreach ($job->fillers($definition) as $context) {
            $filler = $this->manyKeys($definition, $context);
            $filler->setMany([$id . ':all' => 'filled', $id . ':both' => 'too']);
            $filler->set($id . ':one', '1');
            $filler->close();
        }
        $subjects = array_map(
            fn(int $worker): ManyKeys => $this->manyKeys($definition, $job->context($worker)),
            [0, 1, 2],
        );
        foreach ($subjects as $subject) {
            self::assertCount(3, $subject->getMany([$id . ':all', $id . ':both', $id . ':one']));
        }
        $subjects[0]->set($key, 'of worker 0');
        self::assertSame(
            ['of worker 0', null, 'of worker 0'],
            [$subjects[0]->get($key), $subjects[1]->get($key), $subjects[2]->get($key)],
        );
        array_walk($subjects, static fn(ManyKeys $subject) => $subject->close());
    }

    private function manyKeys(Definition $definition, Context $context): ManyKeys
    {
        $subject = ($definition->make)();
        self::assertInstanceOf(ManyKeys::class, $subject);
        $subject->connect($context);

        return $subject;
    }

    /** @return iterable<string, array{string}> */
    public static function ofMemcached(): iterable
    {
        foreach ([
            'memcached', 'memcached-tuned', 'memcached-binary', 'memcache', 'memcache-tuned', 'memcache-udp', 'larder',
            'larder-unshared', 'larder-udp',
        ] as $id) {
            yield $id => [$id];
        }
    }

    #[DataProvider('ofMemcached')]
    public function testAValueThatIsTooLargeIsARefusalAndNoSilence(string $id): void
    {
        $definition = $this->definition($id);
        $subject = ($definition->make)();
        self::assertInstanceOf(KeyValue::class, $subject);
        $subject->connect(new Context($this->servers()->endpoints(Kind::Memcached, 1), $this->servers()->directory));
        $subject->set($id . ':small', 'stays');
        try {
            $subject->set($id . ':large', random_bytes(2_000_000));
            self::fail('2 MB went into a server that takes 1 MB');
        } catch (Failed $refused) {
            self::assertStringContainsString($id . ':large', $refused->getMessage());
        }
        self::assertSame('stays', $subject->get($id . ':small'));
        self::assertNull($subject->get($id . ':never'));
        $subject->close();
    }

    /**
     * In a process of its own: what the extension breaks there it keeps for all later pools on a persistent connection.
     */
    public function testUdpGetsOfManyKeysFailWithSeveralServersInsteadOfMissing(): void
    {
        $this->definition('memcache-udp@2');
        [$status, $output] = $this->contract('memcache-udp@2', [], $this->servers()->endpoints(Kind::Memcached, 2));
        self::assertNotSame(0, $status);
        self::assertStringContainsString('UDP packet loss', $output);
    }

    public function testFloorsAnswerToEveryCall(): void
    {
        foreach (['noop', 'memcached-connect-only', 'phpredis-connect-only', 'mariadb-connect-only'] as $id) {
            $definition = $this->definition($id);
            $subject = ($definition->make)();
            self::assertInstanceOf(KeyValue::class, $subject);
            $subject->connect(
                new Context($this->servers()->endpoints($definition->needs, 1), $this->servers()->directory),
            );
            $subject->set('key', 'value');
            self::assertSame('', $subject->get('key'));
            $subject->delete('key');
            $subject->close();
        }
    }

    /** What is measured must be what its name says, wherever PHP has its modules from. */
    public function testTheOtherModuleIsNotMeasured(): void
    {
        foreach (['larder-memcached', 'larder-memcache', 'larder-memcached-symfony'] as $id) {
            $definition = $this->definition($id);
            $subject = ($definition->make)();
            try {
                $subject->connect(new Context($this->servers()->endpoints(Kind::Memcached, 1), '/'));
                self::fail($id . ' is measured with the module of this process');
            } catch (Failed $refused) {
                self::assertStringContainsString('not Larder\'s module', $refused->getMessage());
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

    /**
     * @param array<string, string> $ini
     * @param list<Endpoint>        $endpoints
     *
     * @return array{int, string} exit code and output
     */
    private function contract(string $id, array $ini, array $endpoints): array
    {
        $command = ['env'];
        $environment = WindowProcess::environment($this->definition($id), $this->servers()->directory);
        foreach ($environment as $name => $value) {
            $command[] = $name . '=' . $value;
        }
        $command[] = PHP_BINARY;
        foreach ($ini as $name => $value) {
            array_push($command, '-d', $name . '=' . $value);
        }
        array_push(
            $command,
            __DIR__ . '/contract-main.php',
            $id,
            $this->servers()->directory . '/run',
            base64_encode(serialize($endpoints)),
        );
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $output, $status);

        return [$status, implode("\n", $output)];
    }

    private function servers(): Servers
    {
        return self::$servers ?? throw new \LogicException('no servers');
    }
}
