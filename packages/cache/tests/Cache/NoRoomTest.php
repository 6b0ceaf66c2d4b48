<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Larder\Cache\Claim;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** Shared memory without room for the entry of a lease, as one process that reads for long makes it. */
#[CoversClass(Claim::class)]
final class NoRoomTest extends TestCase
{
    private const PROGRAM = <<<'PHP'
        use Larder\Cache\AfterWait;
        use Larder\Cache\Settings;

        $store = new Larder\SharedMemory();
        $gates = new Larder\Dependency\Gates($store, inTransaction: static fn(): bool => false);
        $settings = new Settings(grace: 60.0, wait: 0.05, afterWait: AfterWait::Fail, early: 0.0);
        $cache = new Larder\Cache($store, $gates, $settings);
        $compute = static fn(): string => 'made';
        $cache->remember('changed', $compute, reads: ['news']);
        $cache->remember('in grace', static fn(): string => 'old', 0.001);
        $held = $store->getMultiple(['changed', 'in grace']);
        $store->delete("\0vnews");
        // What is removed stays as long as somebody may read it, so there is no room for any more.
        for ($i = 0; $i < 60000; ++$i) {
            $store->set("other $i", 1);
        }
        assert($store->lease('cold') === 0 && $store->has('changed') && $store->has('in grace'));

        echo json_encode([
            $cache->remember('cold', $compute),
            $cache->remember('changed', $compute, reads: ['news']),
            $cache->rememberMultiple(['a', 'changed'], static fn(): array => ['a' => 1, 'changed' => 2]),
            $cache->remember('in grace', $compute),
        ]);
        PHP;

    public function testNobodyWaitsWhereThereIsNoRoomForALease(): void
    {
        $settings = ['larder.size' => '2M', 'larder.share' => 1, 'zend.assertions' => 1, 'error_log' => '/dev/null'];

        self::assertSame(
            ['made', 'made', ['a' => 1, 'changed' => 2], 'old'],
            json_decode(Extension::output($settings, self::PROGRAM), true),
        );
    }
}
