<?php

declare(strict_types=1);

namespace Larder\Tests\Discovery;

use Closure;
use Larder\Discovery\DnsServers;
use Larder\Discovery\ServerList;
use Larder\Exception\InvalidServer;
use Larder\Exception\NoServersFound;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(DnsServers::class)]
#[CoversClass(ServerList::class)]
final class DnsServersTest extends TestCase
{
    /** @var list<array{string, int}> */
    private array $asked = [];

    /** @var list<array<string, mixed>>|false */
    private array|false $records = [];

    private SteppedClock $clock;
    private TestLog $log;

    protected function setUp(): void
    {
        $this->clock = new SteppedClock();
        $this->log = new TestLog();
    }

    public function testAllAddressesOfAName(): void
    {
        $this->records = [
            ['type' => 'A', 'ip' => '10.0.0.9', 'ttl' => 30],
            ['type' => 'AAAA', 'ipv6' => '2001:db8::1', 'ttl' => 30],
            ['type' => 'A', 'ip' => '10.0.0.1', 'ttl' => 30],
            ['type' => 'A', 'ip' => '10.0.0.1', 'ttl' => 30],
            ['type' => 'CNAME', 'target' => 'elsewhere'],
        ];
        $expected = ['10.0.0.1:11212' => 1, '10.0.0.9:11212' => 1, '[2001:db8::1]:11212' => 1];

        self::assertSame($expected, $this->addresses(port: 11212)->servers());
        self::assertSame([['cache.example.net', DNS_A | DNS_AAAA]], $this->asked);
        self::assertSame(
            ['tls://10.0.0.1:11211', 'tls://10.0.0.9:11211', 'tls://[2001:db8::1]:11211'],
            array_keys($this->addresses(tls: true)->servers()),
        );
    }

    public function testTheFirstPriorityOfAServiceWithItsPortsAndWeights(): void
    {
        $this->records = [
            ['type' => 'SRV', 'pri' => 10, 'weight' => 60, 'port' => 11211, 'target' => 'b.example.net.', 'ttl' => 30],
            ['type' => 'SRV', 'pri' => 10, 'weight' => 0, 'port' => 11212, 'target' => 'a.example.net', 'ttl' => 30],
            [
                'type' => 'SRV',
                'pri' => 20,
                'weight' => 60,
                'port' => 11211,
                'target' => 'spare.example.net',
                'ttl' => 30,
            ],
        ];

        self::assertSame(['a.example.net:11212' => 1, 'b.example.net:11211' => 60], $this->service()->servers());
        self::assertSame([['_memcache._tcp.example.net', DNS_SRV]], $this->asked);
    }

    public function testLargeWeightsKeepTheirProportion(): void
    {
        $this->records = array_map(
            static fn(int $weight): array => ['pri' => 0, 'weight' => $weight, 'port' => 1, 'target' => "w$weight"],
            [65535, 32768, 3],
        );

        self::assertSame(['w32768:1' => 500, 'w3:1' => 1, 'w65535:1' => 1000], $this->service()->servers());
    }

    /** @return iterable<string, array{int, float, float}> record's ttl, ours, and which holds */
    public static function lives(): iterable
    {
        yield 'the record is shorter' => [5, 60.0, 5.0];
        yield 'ours is shorter' => [300, 60.0, 60.0];
        yield 'no time at all is a second' => [0, 60.0, 1.0];
    }

    #[DataProvider('lives')]
    public function testAnAnswerIsKeptAsLongAsItMay(int $record, float $ours, float $life): void
    {
        $this->records = [['ip' => '10.0.0.1', 'ttl' => $record], ['ip' => '10.0.0.2', 'ttl' => 1000]];
        $servers = $this->addresses(ttl: $ours);
        $servers->servers();
        $this->clock->seconds += $life - 0.01;
        $servers->servers();
        self::assertSame(1, $this->asks());
        $this->records = [['ip' => '10.0.0.3', 'ttl' => 1000]];
        $this->clock->seconds += 0.02;

        self::assertSame(['10.0.0.3:11211' => 1], $servers->servers());
        self::assertSame(2, $this->asks());
    }

    /** @return iterable<string, array{list<array<string, mixed>>|false, string}> */
    public static function failures(): iterable
    {
        yield 'no answer' => [false, 'DNS gave no answer for cache.example.net. Look with: dig cache.example.net A'];
        yield 'no records' => [[], 'DNS has no records for cache.example.net'];
        yield 'no addresses among them' => [[['type' => 'CNAME', 'target' => 'x', 'ttl' => 9]], 'Name at least one'];
    }

    /** @param list<array<string, mixed>>|false $records */
    #[DataProvider('failures')]
    public function testAFailureKeepsTheLastListAndIsAskedAgainSoon(array|false $records, string $reason): void
    {
        $this->records = [['ip' => '10.0.0.1', 'ttl' => 60]];
        $servers = $this->addresses();
        $servers->servers();
        $this->records = $records;
        $this->clock->seconds += 61;

        self::assertSame(['10.0.0.1:11211' => 1], $servers->servers());
        self::assertSame(['10.0.0.1:11211' => 1], $servers->servers());
        self::assertSame(2, $this->asks(), 'not at every call');
        self::assertCount(1, $this->log->lines());
        self::assertStringContainsString($reason, $this->log->lines()[0]);
        $this->records = [['ip' => '10.0.0.2', 'ttl' => 60]];
        $this->clock->seconds += 5.1;
        self::assertSame(['10.0.0.2:11211' => 1], $servers->servers());
    }

    public function testAFailureAtTheStart(): void
    {
        $this->records = false;
        $this->expectException(NoServersFound::class);
        $this->expectExceptionMessage('dig _memcache._tcp.example.net SRV');
        $this->service()->servers();
    }

    public function testTheSystemsResolverIsAskedWithoutWarnings(): void
    {
        $this->expectException(NoServersFound::class);
        // Too long a label: refused without a question to anybody.
        DnsServers::addresses(str_repeat('a', 64) . '.invalid')->servers();
    }

    /** @return iterable<string, array{Closure(): mixed}> */
    public static function mistakes(): iterable
    {
        yield 'no name' => [static fn() => DnsServers::addresses('')];
        yield 'a port in the name' => [static fn() => DnsServers::addresses('a:11211')];
        yield 'a line' => [static fn() => DnsServers::service("a\nb")];
        yield 'no port' => [static fn() => DnsServers::addresses('a', 0)];
        yield 'a port too large' => [static fn() => DnsServers::addresses('a', 65536)];
    }

    /** @param Closure(): mixed $make */
    #[DataProvider('mistakes')]
    public function testAMistakeIsNamed(Closure $make): void
    {
        $this->expectException(InvalidServer::class);
        $make();
    }

    private function asks(): int
    {
        return \count($this->asked);
    }

    private function addresses(int $port = 11211, float $ttl = 60.0, bool $tls = false): DnsServers
    {
        return DnsServers::addresses(
            'cache.example.net',
            $port,
            $ttl,
            $tls,
            $this->log,
            $this->resolve(...),
            $this->clock,
        );
    }

    private function service(): DnsServers
    {
        return DnsServers::service(
            '_memcache._tcp.example.net',
            log: $this->log,
            resolve: $this->resolve(...),
            clock: $this->clock,
        );
    }

    /** @return list<array<string, mixed>>|false */
    private function resolve(string $name, int $type): array|false
    {
        $this->asked[] = [$name, $type];

        return $this->records;
    }
}
