<?php

declare(strict_types=1);

namespace Larder\Tests\Discovery;

use Larder\Discovery\ElastiCacheServers;
use Larder\Exception\InvalidServer;
use Larder\Exception\NoServersFound;
use Larder\Tests\Support\Printed;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

#[CoversClass(ElastiCacheServers::class)]
final class ElastiCacheServersTest extends TestCase
{
    /** Seconds that are waited for an answer which does not come. */
    private const SHORT = 0.3;

    /** And for one that comes. */
    private const LONG = 60.0;

    private const NEW = 'config get cluster';
    private const OLD = 'get AmazonElastiCache:cluster';
    private const NODES = "12\nnode-1.example.net|10.82.235.120|11211 node-2.example.net||11212\n";

    private ?Process $server = null;
    private int $port = 0;

    protected function tearDown(): void
    {
        $this->server?->stop(0);
    }

    public function testItNamesTheNodesByAddressOrElseByName(): void
    {
        self::assertSame(
            ['10.82.235.120:11211' => 1, 'node-2.example.net:11212' => 1],
            $this->servers([self::NEW => [self::config(self::NODES)]])->servers(),
        );
    }

    public function testAServerBefore1414KeepsTheListAsAnItem(): void
    {
        $item = \sprintf("VALUE AmazonElastiCache:cluster 0 %d\r\n%s\r\nEND\r\n", \strlen(self::NODES), self::NODES);

        self::assertSame(
            ['10.82.235.120:11211' => 1, 'node-2.example.net:11212' => 1],
            $this->servers([self::NEW => ["ERROR\r\n"], self::OLD => [$item]])->servers(),
        );
    }

    public function testAnAnswerMayComeByteByByte(): void
    {
        $steps = [];
        foreach (str_split(self::config(self::NODES), 3) as $bytes) {
            array_push($steps, $bytes, 1);
        }

        self::assertCount(2, $this->servers([self::NEW => $steps])->servers());
    }

    public function testAnOlderListDoesNotReplaceANewerOne(): void
    {
        $list = static fn(int $version, string $host): string => self::config("$version\n$host||1\n");
        $servers = $this->servers([
            self::NEW => [$list(7, 'seven')],
            self::NEW . ' 2' => [$list(6, 'six')],
            self::NEW . ' 3' => [$list(7, 'again')],
            self::NEW . ' 4' => [$list(10, 'ten')],
        ]);

        self::assertSame(
            ['seven:1', 'seven:1', 'again:1', 'ten:1'],
            array_map(static fn(): string => key($servers->servers()), range(1, 4)),
        );
    }

    /** @return iterable<string, array{array<string, list<string|int|null>>, string}> */
    public static function failures(): iterable
    {
        yield 'no cluster' => [[self::NEW => ["END\r\n"], self::OLD => ["END\r\n"]], 'knows of no cluster'];
        yield 'another program' => [
            [self::NEW => ["HTTP/1.1 400 Bad Request\r\n"]],
            'gave a reply that is none: "HTTP',
        ];
        yield 'closed at once' => [[self::NEW => [null]], 'closed the connection before'];
        yield 'closed in the middle' => [
            [self::NEW => [substr(self::config(self::NODES), 0, 40), null]],
            'closed the connection before',
        ];
        yield 'silence' => [[], 'gave no whole answer within 0.3 s'];
        $drops = array_map(static fn(string $drop): array => [100, $drop], str_split(self::config(self::NODES), 8));
        yield 'drops, the last of them too late' => [
            [self::NEW => array_merge(...$drops)],
            'gave no whole answer within 0.3 s',
        ];
        yield 'a wrong length' => [
            [
                self::NEW => [
                    preg_replace_callback(
                        '/0 ([0-9]+)/',
                        static fn(array $found): string => '0 ' . ($found[1] - 1),
                        self::config(self::NODES),
                        1,
                    ),
                    null,
                ],
            ],
            'whose length is not',
        ];
        yield 'a length beyond reason' => [
            [self::NEW => ["CONFIG cluster 0 999999\r\n"]],
            'announced a list of 999999 bytes',
        ];
        yield 'no version' => [[self::NEW => [self::config("x\na||1\n")]], 'no version and a line of nodes'];
        yield 'no nodes' => [[self::NEW => [self::config("1\n\n")]], 'no version and a line of nodes'];
        yield 'a node without a port' => [
            [self::NEW => [self::config("1\na|10.0.0.1\n")]],
            'named the node "a|10.0.0.1"',
        ];
        yield 'a node that is none' => [[self::NEW => [self::config("1\na b||1\n")]], 'named the node "a"'];
        yield 'a port that is none' => [[self::NEW => [self::config("1\na||0\n")]], 'named a node that cannot be one'];
    }

    /** @param array<string, list<string|int|null>> $script */
    #[DataProvider('failures')]
    public function testAFailureSaysWhatAndWhere(array $script, string $reason): void
    {
        $servers = $this->servers($script, str_contains($reason, 'within') ? self::SHORT : self::LONG);
        try {
            $servers->servers();
            self::fail('It was taken');
        } catch (NoServersFound $failure) {
            self::assertStringContainsString($reason, $failure->getMessage());
            self::assertStringContainsString('127.0.0.1:' . $this->port, $failure->getMessage());
        }
    }

    /** As docs/how-to/memcached.md has it. */
    public function testEachRowOfTheTable(): void
    {
        $guide = (string) file_get_contents(\dirname(__DIR__, 4) . '/docs/how-to/memcached.md');
        $section = (string) strstr($guide, '| the endpoint says |');
        $count = preg_match_all(
            '/^\| `((?:[^`])+)` \| (the list|NoServersFound) \| (.*?) ?\|$/m',
            substr($section, 0, (int) strpos($section, "\n\n")),
            $rows,
            PREG_SET_ORDER,
        );
        self::assertGreaterThan(15, $count);
        self::assertSame(substr_count(substr($section, 0, (int) strpos($section, "\n\n")), "\n| ") - 1, $count);
        foreach ($rows as [, $written, $expected, $message]) {
            $says = strtr($written, ['\|' => '|', '\n' => "\n", '\r' => "\r"]);
            $list = substr((string) strstr($says, "\r\n"), 2);
            $says = str_replace('…', (string) strpos($list, "\r\nEND"), $says);
            $servers = $this->servers(match ($says) {
                '(closes)' => [self::NEW => [null]],
                '(nothing)', '(nobody listens)' => [],
                default => [self::NEW => [$says . "\r\n"], self::OLD => ["END\r\n"]],
            }, $says === '(nothing)' ? self::SHORT : self::LONG);
            if ($says === '(nobody listens)') {
                $this->server?->stop(0);
            }
            try {
                self::assertSame(['10.0.0.1:11211' => 1], $servers->servers(), $written);
                self::assertSame('the list', $expected, $written);
            } catch (NoServersFound $failure) {
                self::assertSame('NoServersFound', $expected, $written);
                self::assertStringContainsString("127.0.0.1:{$this->port} $message", $failure->getMessage(), $written);
            }
            $this->server?->stop(0);
        }
    }

    public function testNobodyListens(): void
    {
        $this->start([]);
        $this->server?->stop(0);
        $this->expectException(NoServersFound::class);
        $this->expectExceptionMessage('cannot be reached');
        (new ElastiCacheServers('127.0.0.1:' . $this->port))->servers();
    }

    /** @return iterable<string, array{string}> */
    public static function mistakes(): iterable
    {
        foreach ([
            '',
            'host',
            '[::1]',
            'unix:/run/memcached',
            'unix:/run/memcached:11211',
            "host:1\r\n",
            'udp://host:1',
        ] as $endpoint) {
            yield json_encode($endpoint, JSON_THROW_ON_ERROR) => [$endpoint];
        }
    }

    #[DataProvider('mistakes')]
    public function testAnEndpointHasAPort(string $endpoint): void
    {
        $this->expectException(InvalidServer::class);
        new ElastiCacheServers($endpoint);
    }

    private static function config(string $nodes): string
    {
        return \sprintf("CONFIG cluster 0 %d\r\n%s\r\nEND\r\n", \strlen($nodes), $nodes);
    }

    /** @param array<string, list<string|int|null>> $script */
    private function servers(array $script, float $seconds = self::LONG): ElastiCacheServers
    {
        $this->start($script);

        return new ElastiCacheServers('127.0.0.1:' . $this->port, $seconds);
    }

    /** @param array<string, list<string|int|null>> $script */
    private function start(array $script): void
    {
        $this->server = new Process(
            [PHP_BINARY, '-n', __DIR__ . '/scripted-server.php', json_encode((object) $script, JSON_THROW_ON_ERROR)],
            timeout: 600,
        );
        $this->server->start();
        Printed::wait($this->server, "\n");
        $this->port = (int) $this->server->getOutput();
    }
}
