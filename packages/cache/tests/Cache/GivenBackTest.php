<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Larder\Cache\AtShutdown;
use Larder\Cache\Leases;
use Larder\Cache\Make;
use Larder\Store;
use Larder\Store\MemcachedStore;
use Larder\Testbed\Server\Program;
use Larder\Tests\Store\MemcachedServers;
use Larder\Tests\Store\RedisServers;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\InputStream;
use Symfony\Component\Process\Process;

/** What becomes of a lease on a server when its process ends within the compute. */
#[CoversClass(AtShutdown::class)]
#[CoversClass(Leases::class)]
#[CoversClass(Make::class)]
final class GivenBackTest extends TestCase
{
    private MemcachedServers|RedisServers|null $servers = null;

    protected function tearDown(): void
    {
        $this->servers?->stop();
        $this->servers = null;
    }

    /** @return iterable<string, array{string, string}> */
    public static function endings(): iterable
    {
        foreach (['memcached', 'redis'] as $kind) {
            foreach ([
                'exit',
                'exit after the response',
                'small pieces',
                'one large piece',
                'time limit',
                'uncaught',
                'fatal error',
            ] as $ending) {
                yield "$kind, $ending" => [$kind, $ending];
            }
        }
    }

    #[DataProvider('endings')]
    public function testTheNextOneHasItAtOnce(string $kind, string $ending): void
    {
        $store = $this->store($kind);
        $process = $this->process($kind, $ending);
        $process->run();

        self::assertNotSame(0, $process->getExitCode(), 'it ended within the compute');
        self::assertGreaterThan(0, $store->lease('k', 30.0), $process->getOutput());
    }

    /** @return iterable<string, array{string, string}> */
    public static function children(): iterable
    {
        foreach (['memcached', 'redis'] as $kind) {
            foreach (['a child ends', 'a child throws'] as $ending) {
                yield "$kind, $ending" => [$kind, $ending];
            }
        }
    }

    #[DataProvider('children')]
    public function testAChildGivesNothingBackThatItsParentHolds(string $kind, string $ending): void
    {
        $store = $this->store($kind);
        $process = $this->process($kind, $ending);
        $input = new InputStream();
        $process->setInput($input);
        $process->start();
        // The parent answers nothing until the child is gone, so the lease is looked at until the parent is let go.
        $isHeld = true;
        for ($look = 0; $look < 40; ++$look) {
            $isHeld = $isHeld && ($look < 20 || $store->lease('k', 30.0) === null);
            usleep(50_000);
        }
        $input->close();
        $process->wait();

        self::assertTrue($isHeld);
        self::assertSame(0, $process->getExitCode(), $process->getOutput() . $process->getErrorOutput());
        self::assertTrue($store->has('k'), 'and its value is stored');
    }

    private function process(string $kind, string $ending): Process
    {
        $process = Extension::process(
            ['memory_limit' => '40M', 'display_errors' => '0', 'error_log' => '/dev/null'],
            __DIR__ . '/giveback.php',
            $kind,
            $this->servers?->addresses()[0] ?? '',
            $ending,
        );

        return $process->setTimeout(60);
    }

    private function store(string $kind): Store
    {
        $program = $kind === 'redis' ? 'redis-server' : 'memcached';
        if (Program::find($program) === null) {
            self::markTestSkipped("needs $program");
        }
        if ($kind === 'redis') {
            $this->servers = new RedisServers();

            return $this->servers->store('predis', 'app');
        }
        Extension::file();
        $this->servers = new MemcachedServers(1);

        return MemcachedStore::on($this->servers->addresses(), 'app');
    }
}
