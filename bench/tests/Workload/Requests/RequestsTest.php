<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Requests;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Server\Kind;
use Larder\Bench\Server\MadeSite;
use Larder\Bench\Server\PurgedVarnish;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Pages\SitePage;
use Larder\Bench\Workload\Http\StoredPages;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Requests\EdgeChanges;
use Larder\Bench\Workload\Requests\EdgeSite;
use Larder\Bench\Workload\Requests\RequestCosts;
use Larder\Bench\Workload\Requests\RequestSubjects;
use Larder\Bench\Workload\Requests\SiteRequest;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\ProcessTree;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** That the workloads of the site that the bench makes notice what is wrong, and count what is there. */
#[CoversClass(EdgeChanges::class)]
#[CoversClass(EdgeSite::class)]
#[CoversClass(MadeSite::class)]
#[CoversClass(RequestCosts::class)]
#[CoversClass(SiteRequest::class)]
#[CoversClass(StoredPages::class)]
final class RequestsTest extends TestCase
{
    private TemporaryDirectory $directory;
    private ?MadeSite $site = null;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('lr');
        chmod($this->directory->path, 0o755);
    }

    protected function tearDown(): void
    {
        $this->site?->stop();
        $this->directory->remove();
    }

    public function testAnAnswerThatIsNotThePageWithoutLarderIsWrong(): void
    {
        $job = $this->job();
        $miss = (new Catalogue(RequestSubjects::subjects()))->get('sqlite-miss');
        self::assertGreaterThan(0, (new RequestCosts())->measure($job, $miss)->window->operations);
        (new PDO('sqlite:' . self::open('site')))->exec("UPDATE item SET body = 'another'");

        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage('is not the page without Larder');
        (new RequestCosts())->measure($job, $miss);
    }

    public function testAnAnswerOfAnotherKindIsWrong(): void
    {
        $miss = new SiteRequest(['LARDER_PAGE' => 'PAGE'], 'larder; hit');
        $job = $this->job();
        $miss->connect($job->context());

        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage('"larder; fwd=miss; stored" instead of "larder; hit"');
        $miss->once($job);
    }

    public function testAChangeDropsItsPagesAndOneThatIsNotMadeFails(): void
    {
        $change = new SiteRequest(change: 1);
        $change->connect($this->job()->context());
        foreach ([['pages' => 3], ['pages' => 3, 'beside' => true], ['pages' => 0]] as $parameters) {
            self::assertGreaterThan(0, $change->once($this->job($parameters))[0]);
        }
        (new PDO('sqlite:' . self::open('plain')))->exec('DROP TABLE item');

        $this->expectException(Failed::class);
        $this->expectExceptionMessage('no such table: item');
        $change->once($this->job());
    }

    public function testAPageThatPhpMakesIsNoHit(): void
    {
        $uncached = new Definition('uncached', '', SitePage::class, static fn(): SitePage => new SitePage('uncached'));

        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage('no hits alone, since PHP was asked');
        (new StoredPages())->measure($this->job(['connections' => 2]), $uncached);
    }

    public function testASiteOfPartsSendsTheSameBytesInAllWaysAndEndsWithItsServers(): void
    {
        $this->site = new MadeSite($this->directory->path . '/site', Kind::PartsSite);
        $endpoint = $this->site->endpoint();
        foreach (MadeSite::PARTS as $parts) {
            $bodies = array_map(
                static fn(string $way): string => (string) file_get_contents($endpoint->extra[$way] ?? ''),
                ["larder-$parts-parts", "file-$parts-parts", "uncached-$parts-parts"],
            );
            self::assertSame($parts, substr_count($bodies[0], '<section>'));
            self::assertCount(1, array_unique($bodies));
        }
        self::assertTrue($this->site->isRunning());
        $this->site->stop();
        self::assertSame([], array_merge(...array_map(ProcessTree::of(...), $endpoint->pids)));
    }

    public function testCountsTheCallsOfOneRequestAndToWhomItSends(): void
    {
        $trace = <<<'END'
            7  accept(13<UNIX-STREAM:[1,"/x/php.sock"]>, …, …) = 6<UNIX-STREAM:[2->3,"/x/php.sock"]>
            7  connect(8<UNIX-STREAM:[10]>, {sa_family=AF_UNIX, sun_path="/x/data/mariadb.sock"}, 33) = 0
            7  sendto(8<UNIX-STREAM:[10->11]>, ""..., 136, MSG_DONTWAIT, NULL, 0) = 136
            7  sendto(5<UNIX-STREAM:[20->21]>, ""..., 12, MSG_DONTWAIT, NULL, 0) = 12
            7  sendto(9<UNIX-STREAM:[30->31]>, ""..., 48, 0, NULL, 0) = 48
            7  write(6<UNIX-STREAM:[2->3,"/x/php.sock"]>, ""..., 2144) = 2144
            7  write(7</dev/shm/counters>, ""..., 532) = 532
            7  accept(13<UNIX-STREAM:[1,"/x/php.sock"]>, …, …) = 6<UNIX-STREAM:[4->5,"/x/php.sock"]>
            7  sendto(8<UNIX-STREAM:[10->11]>, ""..., 5, MSG_DONTWAIT, NULL, 0) = 5
            END;
        self::assertSame(
            [
                'system calls' => 7.0,
                'sends to the database' => 2.0,
                'sends to memcached' => 1.0,
                'calls of sendto' => 3.0,
                'calls of write' => 2.0,
                'calls of accept' => 1.0,
                'calls of connect' => 1.0,
                'connections opened' => 1.0,
            ],
            RequestCosts::calls($trace, ['21' => '/x/.s.PGSQL.5432', '31' => '/x/memcached.sock']),
        );
    }

    public function testAPurgeThatAnEdgeDoesNotConfirmIsWrong(): void
    {
        $edge = (new Catalogue(RequestSubjects::subjects()))->get('edge-1');
        $varnish = PurgedVarnish::start($this->directory->path . '/varnish');
        $workload = new InProcess(new EdgeChanges());
        $measured = $workload->measure($this->job(servers: [$varnish->endpoint()]), $edge);
        self::assertGreaterThan(0.0, $measured->extra['us of it the purge, median']);
        self::assertGreaterThan(
            $measured->extra['us of it the purge, median'],
            $measured->extra['us of the statement, median'],
        );
        $gone = $varnish->endpoint();
        $varnish->stop();

        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage('by one purge on all servers');
        $workload->measure($this->job(servers: [$gone]), $edge);
    }

    /** The path of a database of the site: this process has it open, as no connection shall be the first or last. */
    private static function open(string $name): string
    {
        $descriptors = glob('/proc/self/fd/*');
        foreach ($descriptors === false ? [] : $descriptors as $descriptor) {
            $file = (string) @readlink($descriptor);
            if (str_ends_with($file, "/data/$name.sqlite")) {
                return $file;
            }
        }
        self::fail("$name.sqlite is not open");
    }

    /**
     * @param array<string, bool|int> $parameters
     * @param list<Endpoint>|null     $servers    null: a site with pages in files
     */
    private function job(array $parameters = [], ?array $servers = null): Job
    {
        $servers ??= [
            ($this->site ??= new MadeSite($this->directory->path . '/site', Kind::FilesSite))->endpoint(),
        ];

        return new Job('t', 's', $parameters, 0.05, 0, 1, $servers, $this->directory->path, 'bench:', 0.05);
    }
}
