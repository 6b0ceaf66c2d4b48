<?php

declare(strict_types=1);

namespace Larder\Tests\Console\Code;

use Larder\Console\Doctor\CodePoolChecks;
use Larder\Testbed\Net\ProxiedConnection;
use Larder\Testbed\Net\Proxy;
use Larder\Testbed\Net\ProxyTraffic;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(CodePoolChecks::class)]
final class CodePoolChecksTest extends TestCase
{
    private TemporaryDirectory $directory;
    private Memcached $server;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('larder-doctor-pool');
        $this->server = new Memcached($this->directory->path);
    }

    protected function tearDown(): void
    {
        $this->server->stop();
        $this->directory->remove();
    }

    public function testAGoodServerIsMeasured(): void
    {
        $server = $this->server->endpoint()->address();
        $found = self::found($server);
        foreach (['answers', 'is memcached 1.6.18 or later', 'takes items of 1 MB', 'has displaced nothing'] as $name) {
            self::assertSame('ok', $found[$name][0]);
        }
        // How fast it is here, is nobody's promise. That it is told, is.
        $near = '/^\d+\.\d\d ms for a round trip, the median of 50/';
        self::assertMatchesRegularExpression($near, $found['is near'][1]);
        $rate = $found['gives back what it was given, at more than 100 Mbit/s'];
        self::assertMatchesRegularExpression('~^\d+ MB/s~', $rate[1]);
    }

    public function testWhatToChangeIsSaidOfAnOldFullServerFarAwayOnASlowLink(): void
    {
        $proxy = new Proxy('tcp://' . $this->server->endpoint()->address(), new class implements ProxyTraffic {
            public function opened(ProxiedConnection $connection): void
            {
                $connection->replies->delay = 3_000_000;
            }

            public function request(ProxiedConnection $connection, string $bytes): string
            {
                return $bytes;
            }

            public function reply(ProxiedConnection $connection, string $bytes): string
            {
                // Five bytes in a microsecond would be 5 MB/s.
                usleep(intdiv(\strlen($bytes), 5));

                return (string) preg_replace(
                    ['/^STAT version \S+/m', '/^STAT evictions \d+/m', '/^STAT item_size_max \d+/m'],
                    ['STAT version 1.5.6', 'STAT evictions 12', 'STAT item_size_max 524288'],
                    $bytes,
                );
            }

            public function closed(ProxiedConnection $connection): void {}
        });
        $process = new WorkerPool(static fn() => $proxy->serve());
        $process->start(0);
        $proxy->close();
        try {
            $found = self::found("127.0.0.1:$proxy->port");
        } finally {
            $process->killAll();
        }
        self::assertSame('ok', $found['answers'][0]);
        foreach ([
            'is memcached 1.6.18 or later' => ['failed', 'it is "1.5.6": update it'],
            'takes items of 1 MB' => ['failed', 'its limit is 524288 bytes, and a pack has up to 900,000: start'],
            'has displaced nothing' => ['remark', '12 items were displaced since it was started'],
            'is near' => ['remark', 'Put one there'],
            'gives back what it was given, at more than 100 Mbit/s' => ['remark', 'Look at the link between'],
        ] as $name => [$state, $remedy]) {
            self::assertSame($state, $found[$name][0], $name);
            self::assertStringContainsString($remedy, $found[$name][1]);
        }
    }

    public function testAServerWithTooLittleMemoryIsToldByWhatItHasLost(): void
    {
        $small = new Memcached($this->directory->path . '/small', megabytes: 4);
        try {
            $found = self::found($small->endpoint()->address());
        } finally {
            $small->stop();
        }
        [$state, $remedy] = $found['gives back what it was given, at more than 100 Mbit/s'];
        self::assertSame('failed', $state);
        self::assertMatchesRegularExpression('/larger -m/', $remedy);
    }

    /** @return array<string, array{string, string}> state and remedy by what is checked */
    private static function found(string $server): array
    {
        $found = [];
        foreach ((new CodePoolChecks([$server]))->checks() as $check) {
            $found[str_replace("$server ", '', $check->name)] = [$check->state, (string) $check->remedy];
        }

        return $found;
    }
}
