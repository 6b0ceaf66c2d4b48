<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Metrics\MemoryCounters;
use Larder\Page\HitLog;
use Larder\Page\NginxConfig;
use Larder\Page\PageCounts;
use Larder\Page\Pages;
use Larder\Proof\Support\NewsSite;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Site\RunningSite;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** nginx's own hits are counted, each once and nothing else. */
#[CoversClass(HitLog::class)]
#[CoversClass(NginxConfig::class)]
#[CoversClass(PageCounts::class)]
final class HitLogTest extends TestCase
{
    public function testNginxNotesEachHitAndNothingElse(): void
    {
        $news = new NewsSite();
        $path = $news->directory->path;
        $site = NewsSite::describe($path, hitLog: $path . '/hits');
        $running = RunningSite::start(
            $site,
            $path . '/run',
            \dirname(__DIR__, 3) . '/proof/support/front.php',
            workers: 1,
            environment: ['NEWS_DIRECTORY' => $path],
            writable: [$path],
            more: static fn(): string => "log_format uri \$request_uri;\naccess_log $path/run/all uri;\n",
        );
        $ask = static fn(string $uri, string ...$headers): Response
            => Connection::fetch($running->url . $uri, 10.0, array_values($headers));
        $stored = $ask('/whole');
        $hit = $ask('/whole');
        $same = $ask('/whole', 'If-None-Match: ' . $hit->header('etag'));
        $ask('/whole', 'Cookie: PHPSESSID=x');
        $ask('/exit');
        $ask('/@/whole');
        $ask('/whole', 'Accept-Encoding: gzip');
        $running->stop();
        $all = (array) file($path . '/run/all', FILE_IGNORE_NEW_LINES);
        $counts = Pages::of($site)->counts();
        $news->remove();

        self::assertSame('larder; fwd=miss; stored', $stored->header('cache-status'));
        self::assertSame('larder; hit', $hit->header('cache-status'));
        self::assertSame(304, $same->status);
        self::assertCount(7, $all, 'another log goes on');
        self::assertSame(3, $counts[HitLog::SERIES]);
        self::assertSame(1, $counts['larder_page_requests_total{result="stored"}']);
        $sum = new PageCounts($counts);
        self::assertSame([5, 0.6], [$sum->requests(), $sum->hitRate()], 'without those that no page can answer');
    }

    public function testALogThatHasGrownIsEmptiedAndItsHitsAreKept(): void
    {
        $directory = new TemporaryDirectory();
        $path = $directory->path . '/hits';
        $log = new HitLog($path, 10);
        $counters = new MemoryCounters();
        $log->moveTo($counters);
        self::assertSame(0, $log->hits());
        $nginx = fopen($path, 'a');
        self::assertIsResource($nginx);
        fwrite($nginx, str_repeat("\n", 9));
        $log->moveTo($counters);
        self::assertSame([9, []], [$log->hits(), $counters->all()]);
        fwrite($nginx, "\n\n");
        $other = fopen($path, 'r');
        self::assertIsResource($other);
        flock($other, LOCK_EX);
        $log->moveTo($counters);
        self::assertSame([11, []], [$log->hits(), $counters->all()], 'another process is about to empty it');
        fclose($other);
        $log->moveTo($counters);
        $log->moveTo($counters);
        self::assertSame([0, [HitLog::SERIES => 11]], [$log->hits(), $counters->all()]);
        fwrite($nginx, "\n");
        self::assertSame(1, $log->hits(), 'nginx goes on where the file ends');
        $directory->remove();
    }
}
