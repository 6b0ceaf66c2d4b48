<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Code;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Code\CodeSubjects;
use Larder\Bench\Workload\Code\FirstRequests;
use Larder\Bench\Workload\Code\Host;
use Larder\Bench\Workload\Code\Switching;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(FirstRequests::class)]
#[CoversClass(Host::class)]
#[CoversClass(Switching::class)]
final class ReleasesTest extends TestCase
{
    private TemporaryDirectory $directory;
    private Memcached $server;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('lh');
        chmod($this->directory->path, 0o755);
        $this->server = new Memcached($this->directory->path . '/memcached');
    }

    protected function tearDown(): void
    {
        $this->server->stop();
        $this->directory->remove();
    }

    /** @return iterable<string, array{string, float|null}> */
    public static function ways(): iterable
    {
        yield 'local' => ['local', 0.0];
        yield 'pool' => ['pool', 3.0];
        yield 'warm' => ['warm', 0.0];
        yield 'loader' => ['loader', 0.0];
        yield 'next' => ['next', 0.0];
        yield 'pull' => ['pull', 3.0];
        yield 'files' => ['files', null];
    }

    #[DataProvider('ways')]
    public function testAReleaseIsWholeHoweverItCame(string $way, ?float $trips): void
    {
        $subject = self::subject("release-$way");
        $job = $this->job($subject);
        $workload = new FirstRequests();
        $workload->prepare($job, $subject);
        $measured = $workload->measure($job, $subject);

        self::assertSame([1, 1], [$measured->window->operations, $measured->latency->count()]);
        self::assertSame($trips, $measured->extra['round trips'] ?? null);
        self::assertSame($way !== 'files', $measured->coverage?->isEvery());
    }

    public function testAnotherFileThanWasPublishedIsAWrongAnswer(): void
    {
        $workload = new FirstRequests();
        $workload->prepare($this->job(self::subject('release-pull')), self::subject('release-pull'));
        $file = $this->directory->path . '/releases-30/source/File7.php';
        $source = (string) file_get_contents($file);
        file_put_contents($file, str_replace('NUMBER = ', 'NUMBER = 1', $source));
        foreach (['pull' => 'File7.php is not the file', 'local' => 'not the right ones'] as $way => $why) {
            try {
                $workload->measure($this->job(self::subject("release-$way")), self::subject("release-$way"));
                self::fail("$way has another file than was published");
            } catch (WrongReply $wrong) {
                self::assertStringContainsString($why, $wrong->getMessage());
            }
        }
    }

    public function testReadersMeetTheReleaseThatTheLinkNamed(): void
    {
        foreach (['switch-none' => 0, 'switch-five' => 1] as $id => $switches) {
            $subject = self::subject($id);
            $measured = (new Switching())->measure($this->job($subject, 0.5), $subject);

            self::assertGreaterThanOrEqual(8, $measured->window->operations);
            self::assertTrue($measured->coverage?->isEvery());
            self::assertGreaterThan(0.0, $measured->extra['p99.9, ms']);
            $current = (array) glob($this->directory->path . '/w*/releases/current');
            self::assertSame(
                $switches === 0,
                basename((string) readlink((string) $current[0])) === 's0',
            );
            array_map(unlink(...), array_map(strval(...), $current));
        }
    }

    private static function subject(string $id): Definition
    {
        return (new Catalogue(CodeSubjects::subjects()))->get($id);
    }

    private function job(Definition $subject, float $seconds = 0.1): Job
    {
        return new Job(
            'code_first',
            $subject->id,
            ['classes' => 30],
            $seconds,
            0,
            1,
            [$this->server->endpoint()],
            $this->directory->path,
            'bench:',
            warmUp: 0.1,
            checked: $subject->isChecked(),
        );
    }
}
