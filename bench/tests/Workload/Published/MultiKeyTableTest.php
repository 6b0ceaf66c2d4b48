<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Published;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Memcached\ExtMemcached;
use Larder\Bench\Subject\Memcached\PeclMemcache;
use Larder\Bench\Tests\Workload\ManyKeys\Store;
use Larder\Bench\Workload\Published\MultiKeyTable;
use Larder\Bench\Workload\Published\MultiKeyWork;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(MultiKeyTable::class)]
#[CoversClass(MultiKeyWork::class)]
final class MultiKeyTableTest extends TestCase
{
    private const NUMBER = '\d+ \(\d+\.\d\ds\) *';

    public function testIsLaidOutLikeTheSources(): void
    {
        $published = (new MultiKeyTable(
            ['TCP (1 server)' => self::definition('none'), 'noting' => self::noting()],
            iterations: 3,
        ))->run(
            static fn(): array => [],
            '/nowhere',
            static fn() => null,
        );

        $blocks = explode("\n\n", rtrim($published->text));
        self::assertSame('many-keys', $published->test);
        self::assertCount(6, $blocks);
        self::assertStringContainsString(
            "servers:                      1\niterations:                   3\nkeys per iteration:           50",
            $blocks[1],
        );
        self::assertSame(
            str_repeat(' ', 16) . 'Single-Set     Set-Object     Single-Incr    Single-Del',
            explode("\n", $blocks[2])[0],
        );
        self::assertSame(
            str_repeat(' ', 16) . 'Single-Get     Multi-Get      Get-Object     MulGet-Object',
            explode("\n", $blocks[3])[0],
        );
        self::assertSame(
            str_repeat(' ', 16) . 'Multi-Set      MulSet-Object  Multi-Incr     Multi-Del',
            explode("\n", $blocks[4])[0],
        );
        foreach ([2, 3, 4] as $block) {
            self::assertMatchesRegularExpression(
                '/^TCP \(1 server\)  (' . self::NUMBER . '){4}$/',
                explode("\n", $blocks[$block])[1],
            );
        }
        self::assertMatchesRegularExpression(
            '/^noting {10}' . self::NUMBER . '- {14}- {14}' . self::NUMBER . '$/',
            explode("\n", $blocks[2])[2],
        );
        self::assertSame(
            'noting          -              -              -              -',
            explode("\n", $blocks[4])[2],
        );
        self::assertMatchesRegularExpression('/^total time: \d+ minutes, \d+ seconds$/D', $blocks[5]);
        self::assertStringNotContainsString('First errors', $published->remark);
    }

    public function testGivesNoNumberForWrongRepliesAndFailures(): void
    {
        $broken = new Definition(
            'broken',
            'broken',
            Store::class,
            static fn() => throw new \RuntimeException('cannot be made'),
        );
        $published = (new MultiKeyTable(
            ['wrong' => self::definition('other-key'), 'broken' => $broken, 'right' => self::definition('none')],
            iterations: 1,
        ))->run(
            static fn(): array => [],
            '/nowhere',
            static fn() => null,
        );

        self::assertMatchesRegularExpression('/^wrong {11}WRONG +WRONG +WRONG +WRONG$/m', $published->text);
        self::assertMatchesRegularExpression('/^broken {10}failed +failed +failed +failed$/m', $published->text);
        self::assertMatchesRegularExpression('/^right {11}(' . self::NUMBER . '){4}$/m', $published->text);
        self::assertStringContainsString(
            'broken, Single-Set: worker 0: RuntimeException: cannot be made',
            $published->remark,
        );
        self::assertStringContainsString('wrong, Single-Set: b9:test_key0: ', $published->remark);
    }

    #[DataProvider('faults')]
    public function testFindsAFault(string $test, string $fault): void
    {
        $store = new Store($fault);
        $store->connect(new Context([], '/nowhere'));

        $this->expectException(WrongReply::class);

        (new MultiKeyWork($store, 50, 'b9:'))->measure($test, 3);
    }

    /** @return iterable<string, array{string, string}> */
    public static function faults(): iterable
    {
        foreach ([
            [MultiKeyWork::SET_SINGLE, 'truncated'],
            [MultiKeyWork::SET_MANY, 'truncated'],
            [MultiKeyWork::SET_OBJECT, 'other-key'],
            [MultiKeyWork::SET_OBJECTS, 'truncated'],
            [MultiKeyWork::GET_SINGLE, 'other-key'],
            [MultiKeyWork::GET_MANY, 'extra-key'],
            [MultiKeyWork::GET_MANY, 'missing-key'],
            [MultiKeyWork::GET_OBJECT, 'other-key'], [MultiKeyWork::GET_OBJECTS, 'missing-key'],
            [MultiKeyWork::INCREMENT_SINGLE, 'counts-twice'], [MultiKeyWork::INCREMENT_MANY, 'counts-twice'],
            [MultiKeyWork::DELETE_SINGLE, 'keeps-deleted'], [MultiKeyWork::DELETE_MANY, 'keeps-deleted'],
        ] as [$test, $fault]) {
            yield $test . ', ' . $fault => [$test, $fault];
        }
    }

    public function testRunsWithRealServers(): void
    {
        $directory = new TemporaryDirectory();
        $servers = array_map(static fn(int $i): Memcached => new Memcached($directory->path . '/' . $i), [1, 2]);
        $tcp = new Definition(
            'memcache',
            'TCP',
            PeclMemcache::class,
            static fn(): PeclMemcache => new PeclMemcache(tuned: true),
            Kind::Memcached,
        );
        $udp = new Definition(
            'memcache-udp',
            'UDP',
            PeclMemcache::class,
            static fn(): PeclMemcache => new PeclMemcache(udp: true, tuned: true),
            Kind::Memcached,
        );
        $ext = new Definition(
            'memcached',
            'ext-memcached',
            ExtMemcached::class,
            static fn(): ExtMemcached => new ExtMemcached(),
            Kind::Memcached,
        );
        try {
            $published = (new MultiKeyTable([
                'TCP (1 server)' => $tcp,
                'UDP (1 server)' => $udp,
                'TCP (2 servers)' => $tcp->as('memcache@2', 2),
                'memcached' => $ext,
            ], iterations: 3, keys: 10))->run(
                /** @return list<Endpoint> */
                static fn(string $kind, int $instances): array => array_map(
                    static fn(Memcached $server): Endpoint => $server->endpoint(),
                    \array_slice($servers, 0, $instances),
                ),
                $directory->path,
                static fn() => null,
            );
        } finally {
            array_map(static fn(Memcached $server) => $server->stop(), $servers);
            $directory->remove();
        }

        self::assertStringContainsString("servers:                      2\n", $published->text);
        self::assertMatchesRegularExpression(
            '/^TCP \(1 server\)  (' . self::NUMBER . '){4}$/m',
            $published->text,
            $published->remark,
        );
        self::assertSame(
            6,
            preg_match_all('/^TCP \([12] servers?\) {1,2}(' . self::NUMBER . '){4}$/m', $published->text),
            $published->text . $published->remark,
        );
        self::assertStringNotContainsString('WRONG', $published->text, $published->remark);
    }

    private static function definition(string $fault): Definition
    {
        return new Definition('store', 'store', Store::class, static fn(): Store => new Store($fault));
    }

    private static function noting(): Definition
    {
        return new Definition(
            'noting',
            'noting',
            ObservedStore::class,
            static fn(): ObservedStore => new ObservedStore(static function (): void {}),
        );
    }
}
