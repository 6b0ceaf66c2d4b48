<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Subject;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Cached\Failures;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Failures::class)]
final class FailuresTest extends TestCase
{
    public function testWhatIsNoFailureIsNotOne(): void
    {
        $failures = new Failures();
        $failures->info('Lock acquired');
        $failures->add('larder_cache_requests_total', labels: ['result' => 'miss']);
        $failures->mustBeNone('get', 'key');
        self::assertSame([], $failures->all());
    }

    public function testAFailureIsToldOnce(): void
    {
        $failures = new Failures();
        foreach (['memcached timed_out', 'redis down', 'tiered unanswered'] as $name) {
            [$store, $cause] = explode(' ', $name);
            $failures->add('larder_store_failures_total', labels: ['store' => $store, 'cause' => $cause]);
            try {
                $failures->mustBeNone('get', 'key');
                self::fail($name);
            } catch (Failed $failed) {
                self::assertSame("get(key): {$name}", $failed->getMessage());
            }
            $failures->mustBeNone('get', 'key');
        }
        $failures->warning('Failed to save key "{key}"');
        $this->expectException(Failed::class);
        $failures->mustBeNone('save', 'key');
    }
}
