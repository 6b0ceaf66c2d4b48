<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Http;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Server\Fleet;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Tests\Workload\Http\Fixture\HttpTestCase;
use Larder\Bench\Tests\Workload\Http\Fixture\PlainSteps;
use Larder\Bench\Workload\Http\BreakingPoint;
use Larder\Bench\Workload\Http\ClientTargets;
use Larder\Bench\Workload\Http\Pages;
use Larder\Bench\Workload\InProcess;
use Larder\Testbed\Http\Connection;

/** With real servers: nginx, php-fpm and memcached. */
final class OverFpmTest extends HttpTestCase
{
    private Fleet $fleet;

    protected function setUp(): void
    {
        parent::setUp();
        $this->fleet = new Fleet($this->directory, scripts: \dirname(__DIR__, 3) . '/libexec/fpm');
    }

    protected function tearDown(): void
    {
        $this->fleet->stop();
        parent::tearDown();
    }

    public function testARequestIsAConnectAndAStep(): void
    {
        $endpoints = [...$this->fleet->endpoints(Kind::Memcached, 1), ...$this->fleet->endpoints(Kind::Fpm, 1)];
        $memcached = Catalogue::standard()->get('memcached');
        $workload = Pages::ofClient(new PlainSteps());
        $job = $this->job($endpoints, ['connections' => 20], 'memcached', 0.6);
        $workload->prepare($job, $memcached);
        $before = self::connections($endpoints[0]->port);
        $measured = $workload->measure($job, $memcached);
        $window = $measured->window;

        self::assertGreaterThan(0, $window->operations);
        self::assertSame([0, null], [$window->errors, $measured->firstError]);
        self::assertGreaterThanOrEqual($window->operations, self::connections($endpoints[0]->port) - $before);
        self::assertGreaterThan(50.0, $window->clientCpu / $window->operations, "php-fpm's us a request");
        self::assertGreaterThan(1.0, $window->serverCpu / $window->operations, "memcached's");
        self::assertLessThan($window->clientCpu, $window->serverCpu);
        self::assertArrayHasKey('load generator us/request', $measured->extra);
    }

    public function testWhatNoOtherProcessSeesIsStoredInEachRequest(): void
    {
        $array = Catalogue::standard()->get('array');
        $measured = Pages::ofClient(new PlainSteps())->measure(
            $this->job($this->fleet->endpoints(Kind::Fpm, 1), ['connections' => 4], 'array'),
            $array,
        );

        self::assertGreaterThan(0, $measured->window->operations);
        self::assertSame(0.0, $measured->window->serverCpu);
    }

    public function testAStepThatFailsIsAnErrorAndOneThatGetsAnotherValueIsWrong(): void
    {
        $fpm = $this->fleet->endpoints(Kind::Fpm, 1);
        $array = Catalogue::standard()->get('array');
        $measured = self::patiently(
            fn() => Pages::ofClient(new PlainSteps())->measure(
                $this->job($fpm, ['connections' => 4, 'fault' => 'error'], 'array', 0.5),
                $array,
            ),
        );

        self::assertGreaterThan(0, $measured->window->errors);
        self::assertSame('status 500, "RuntimeException: the pool is exhausted"', $measured->firstError);

        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage('wrong: another key');
        self::patiently(
            fn() => Pages::ofClient(new PlainSteps())->measure(
                $this->job($fpm, ['connections' => 4, 'fault' => 'wrong'], 'array', 0.5),
                $array,
            ),
        );
    }

    public function testAServerThatIsNotThereIsSaidInTheClientsWords(): void
    {
        $this->expectException(Failed::class);
        $this->expectExceptionMessageMatches('/^status 500, "\w+: /');
        Pages::ofClient(new PlainSteps())->measure(
            $this->job($this->fleet->endpoints(Kind::Fpm, 1), [], 'memcached'),
            Catalogue::standard()->get('memcached'),
        );
    }

    public function testWhatASubjectTurnsOutNotToDoIsNoFailure(): void
    {
        $this->expectException(NotApplicable::class);
        $this->expectExceptionMessage('has no steps');
        Pages::ofClient(new PlainSteps())->measure(
            $this->job($this->fleet->endpoints(Kind::Fpm, 1), ['fault' => 'absent'], 'array'),
            Catalogue::standard()->get('array'),
        );
    }

    public function testTheScriptDoesNothingThatTheBenchDidNotWriteDown(): void
    {
        $url = $this->fleet->endpoints(Kind::Fpm, 1)[0]->extra['url'] . '/client/step.php';
        foreach ([
            '',
            '?order=/etc/passwd',
            '?order[]=1',
            '?order=' . rawurlencode($this->directory . '/order-0123456789abcdef'),
        ] as $query) {
            $reply = Connection::fetch($url . $query);
            self::assertSame([403, 'no order of the bench'], [$reply->status, $reply->body]);
        }
    }

    public function testRefusesWhatTheOperationsDo(): void
    {
        $refusal = (new InProcess(new PlainSteps()))->refuses(self::page());

        self::assertNotNull($refusal);
        self::assertSame($refusal, Pages::ofClient(new PlainSteps())->refuses(self::page()));
        self::assertNull(Pages::ofClient(new PlainSteps())->refuses(Catalogue::standard()->get('array')));
    }

    public function testTheBreakingPointIsWhereErrorsBegin(): void
    {
        $fpm = $this->fleet->endpoints(Kind::Fpm, 1);
        $array = Catalogue::standard()->get('array');
        $workload = new BreakingPoint(new ClientTargets(new PlainSteps()));
        $holds = $workload->measure($this->job($fpm, ['ladder' => '2:8'], 'array'), $array);

        self::assertSame(
            [0.0, 0.0],
            [$holds->extra['errors % at 2 connections'], $holds->extra['errors % at 8 connections']],
        );
        self::assertArrayNotHasKey('breaking point, connections', $holds->extra);

        $breaks = self::patiently(
            fn() => $workload->measure($this->job($fpm, ['ladder' => '4:8', 'fault' => 'error'], 'array', 0.5), $array),
        );
        self::assertSame(4.0, $breaks->extra['breaking point, connections']);
        self::assertGreaterThan(0.1, $breaks->extra['errors % at 4 connections']);
        self::assertArrayNotHasKey('errors % at 8 connections', $breaks->extra);
        self::assertNotNull($breaks->firstError);
    }

    /**
     * Tries again if the first step fails, since one step in 50 fails.
     *
     * @template T
     *
     * @param \Closure(): T $measure
     *
     * @return T
     */
    private static function patiently(\Closure $measure): mixed
    {
        for ($attempt = 1; ; ++$attempt) {
            try {
                return $measure();
            } catch (Failed $failed) {
                if ($attempt === 4) {
                    throw $failed;
                }
            }
        }
    }

    private static function connections(int $port): int
    {
        $memcached = new \Memcached();
        $memcached->addServer('127.0.0.1', $port);
        /** @var array<string, array<string, int|string>> $stats */
        $stats = $memcached->getStats();
        $count = $stats["127.0.0.1:{$port}"]['total_connections'] ?? null;

        return is_numeric($count) ? (int) $count : self::fail('memcached has no statistics');
    }
}
