<?php

declare(strict_types=1);

namespace Larder\Tests\Discovery;

use Larder\Discovery\ServerList;
use Larder\Discovery\StaticServers;
use Larder\Exception\InvalidServer;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(StaticServers::class)]
#[CoversClass(ServerList::class)]
#[CoversClass(InvalidServer::class)]
final class StaticServersTest extends TestCase
{
    /** @return iterable<string, array{string|array<array-key, string|int>, array<string, int>}> */
    public static function lists(): iterable
    {
        yield 'one' => ['localhost', ['localhost' => 1]];
        yield 'a list' => [['b:11211', 'a:11211'], ['a:11211' => 1, 'b:11211' => 1]];
        yield 'weights' => [['b' => 1000, 'a' => 1], ['a' => 1, 'b' => 1000]];
        yield 'a weight as text' => [['b' => '30'], ['b' => 30]];
        yield 'both' => [['z', 'a' => 7], ['a' => 7, 'z' => 1]];
        $written = [
            '127.0.0.1:1',
            '[::1]:65535',
            '[2001:db8::1]',
            'cache-1.example.net',
            'tls://cache.example.net:11212',
            'tls://[::1]',
            'unix:/run/memcached/m.sock',
        ];
        yield 'every way to write one' => [$written, (static function () use ($written): array {
            sort($written, SORT_STRING);

            return array_fill_keys($written, 1);
        })()];
    }

    /**
     * @param string|array<array-key, string|int> $given
     * @param array<string, int>                  $servers
     */
    #[DataProvider('lists')]
    public function testTheyComeSortedWithTheirWeights(string|array $given, array $servers): void
    {
        self::assertSame($servers, (new StaticServers($given))->servers());
    }

    /** @return iterable<string, array{string|array<array-key, string|int>, string}> */
    public static function mistakes(): iterable
    {
        yield 'nothing' => [[], 'Name at least one'];
        foreach ([
            '',
            ' ',
            'a b',
            "a\r\nflush_all",
            "a\n",
            'a:0',
            'a:65536',
            'a:',
            'a:x',
            '::1',
            '[::1',
            '[10.0.0.1]:1',
            '[zz]:1',
            'unix:relative',
            'unix:/a b',
            'http://a',
            'a/b',
            '-a',
            'tls://',
            "unix:/a\0b",
        ] as $text) {
            yield json_encode($text, JSON_THROW_ON_ERROR) => [[$text], 'is not a server. Written are "host"'];
        }
        foreach ([0, -1, 1001, '', '1.5', 'x', ' 1', '00001'] as $weight) {
            yield 'weight ' . json_encode($weight) => [['a' => $weight], 'A weight is an integer from 1 to 1000'];
        }
        yield 'twice' => [['a', 'a'], 'in the list twice'];
    }

    /** @param string|array<array-key, string|int> $given */
    #[DataProvider('mistakes')]
    public function testAMistakeIsNamedWithItsRemedy(string|array $given, string $remedy): void
    {
        $this->expectException(InvalidServer::class);
        $this->expectExceptionMessage($remedy);
        new StaticServers($given);
    }
}
