<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Stampede;

use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Tests\Workload\Http\Fixture\HttpTestCase;
use Larder\Bench\Workload\Stampede\HandWrittenCaches;
use Larder\Bench\Workload\Stampede\StampedeOverFpm;
use Larder\Testbed\Server\Memcached;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;

#[CoversClass(StampedeOverFpm::class)]
final class StampedeOverFpmTest extends HttpTestCase
{
    private const SHORT = [
        'life' => 1.0,
        'window' => 0.5,
        'compute' => 0.2,
        'workers' => 6,
        'connections' => 6,
        'seconds' => 2.5,
    ];

    /** @return iterable<string, array{string, bool}> */
    public static function subjects(): iterable
    {
        yield 'no protection' => ['none-memcached', false];
        yield 'Symfony' => ['symfony-memcached', true];
        yield 'ours, by an extension that is in no php.ini' => ['cache-memory', true];
    }

    #[DataProvider('subjects')]
    public function testCountsWhatRequestsCompute(string $id, bool $isProtected): void
    {
        $definition = self::definition($id);
        if ($definition->missing() !== []) {
            self::markTestSkipped('needs PHP with ' . implode(', ', $definition->missing()));
        }
        $server = $definition->needs === Kind::None ? null : new Memcached($this->directory . '/memcached');
        try {
            self::assertNull((new StampedeOverFpm())->refuses($definition));
            $measured = (new StampedeOverFpm())->measure(
                $this->job($server === null ? [] : [$server->endpoint()], self::SHORT, $id),
                $definition,
            );
        } finally {
            $server?->stop();
        }
        self::assertGreaterThan(6, $measured->window->operations);
        self::assertSame(0, $measured->window->errors, (string) $measured->firstError);
        self::assertGreaterThanOrEqual(1.0, $measured->extra['expiries']);
        // The first request came alone. All requests after the end of the value come at once.
        self::assertSame(
            $isProtected,
            $measured->extra['most computes of an expiry'] <= 2.0,
            json_encode($measured->extra, JSON_THROW_ON_ERROR),
        );
    }

    private static function definition(string $id): Definition
    {
        return HandWrittenCaches::hasSubject($id)
            ? (new Catalogue(HandWrittenCaches::subjects()))->get($id)
            : Catalogue::standard()->get($id);
    }
}
