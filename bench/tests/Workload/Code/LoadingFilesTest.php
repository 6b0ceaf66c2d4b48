<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Code;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\UsageError;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Code\ClassFiles;
use Larder\Bench\Workload\Code\CodeSubjects;
use Larder\Bench\Workload\Code\Load;
use Larder\Bench\Workload\Code\LoadingFiles;
use Larder\Bench\Workload\Code\Process;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(ClassFiles::class)]
#[CoversClass(CodeSubjects::class)]
#[CoversClass(Load::class)]
#[CoversClass(LoadingFiles::class)]
#[CoversClass(Process::class)]
final class LoadingFilesTest extends TestCase
{
    private const FILES = 25;

    private TemporaryDirectory $directory;
    private Memcached $server;
    private LoadingFiles $workload;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('lc');
        chmod($this->directory->path, 0o755);
        $this->server = new Memcached($this->directory->path . '/memcached');
        $this->workload = new LoadingFiles(self::FILES);
    }

    protected function tearDown(): void
    {
        $this->server->stop();
        $this->directory->remove();
    }

    /** @return iterable<string, array{string, 'fresh'|'opcache'|'slow', float, float|null}> */
    public static function forms(): iterable
    {
        foreach (['fresh', 'opcache', 'slow'] as $process) {
            yield "nothing, $process" => ['code-none', $process, 0.0, null];
            yield "include, $process" => ['code-include', $process, 0.0, 0.0];
            yield "one by one, $process" => ['code-pool-1', $process, 25.0, 1.0];
            yield "ten at once, $process" => ['code-pool-10', $process, 3.0, 10.0];
            yield "a release, $process" => ['code-release', $process, 0.0, null];
        }
        yield 'preloaded' => ['code-preload', 'opcache', 0.0, null];
    }

    /** @param 'fresh'|'opcache'|'slow' $process */
    #[DataProvider('forms')]
    public function testEveryFormLoadsAllClassesAndSaysItsRoundTrips(
        string $id,
        string $process,
        float $trips,
        ?float $batch,
    ): void {
        $form = self::form($id);
        $this->workload->prepare($this->job($form, $process), $form);
        $measured = $this->workload->measure($this->job($form, $process), $form);

        self::assertSame(0, $measured->window->operations % self::FILES);
        self::assertGreaterThanOrEqual(self::FILES, $measured->window->operations);
        self::assertSame($trips, $measured->extra['round trips']);
        self::assertSame($batch, $measured->extra['files per round trip'] ?? null);
        self::assertSame((float) self::FILES, $measured->latencyOf);
        self::assertSame($form->isChecked(), $measured->coverage?->isEvery());
    }

    public function testASlowDirectoryDelaysEachFileThatIsOpened(): void
    {
        $form = self::form('code-include');
        $this->workload->prepare($this->job($form, 'slow'), $form);
        $measured = $this->workload->measure($this->job($form, 'slow'), $form);

        self::assertGreaterThanOrEqual(self::FILES * Process::OPENING / 1e3, $measured->extra['ms for all files']);
    }

    public function testPreloadingNeedsOpcache(): void
    {
        $form = self::form('code-preload');
        $this->workload->prepare($this->job($form, 'fresh'), $form);

        $this->expectException(NotApplicable::class);
        $this->workload->measure($this->job($form, 'fresh'), $form);
    }

    /** @return iterable<string, array{string, string}> */
    public static function changes(): iterable
    {
        yield 'on the disk' => ['code-include', 'fresh'];
        yield 'in the pool' => ['code-pool-10', 'fresh'];
        yield 'in php-fpm' => ['code-include', 'opcache'];
    }

    #[DataProvider('changes')]
    public function testOtherCodeThanWasPutThereIsWrong(string $id, string $process): void
    {
        $form = self::form($id);
        $job = $this->job($form, $process);
        $this->workload->prepare($job, $form);
        $file = $this->directory->path . '/' . $id . '/files/File7.php';
        $changed = (string) preg_replace('/NUMBER = \d+/', 'NUMBER = 1', (string) file_get_contents($file));
        file_put_contents($file, $changed);
        $endpoint = $this->server->endpoint();
        $memcached = new \Memcached();
        $memcached->addServer($endpoint->host, $endpoint->port);
        $memcached->set('code:File7.php', $changed);

        $this->expectException(WrongReply::class);
        $this->workload->measure($job, $form);
    }

    public function testAFileThatIsNotInThePoolFailsTheCell(): void
    {
        $form = self::form('code-pool-10');
        $job = $this->job($form, 'fresh');
        $this->workload->prepare($job, $form);
        $endpoint = $this->server->endpoint();
        $memcached = new \Memcached();
        $memcached->addServer($endpoint->host, $endpoint->port);
        $memcached->delete('code:File7.php');

        $this->expectException(Failed::class);
        $this->expectExceptionMessage('code:File7.php is not in the pool');
        $this->workload->measure($job, $form);
    }

    public function testASecondChartFindsWhatTheFirstPrepared(): void
    {
        $form = self::form('code-release');
        foreach (['fresh', 'opcache'] as $process) {
            $this->workload->prepare($this->job($form, $process), $form);
            $measured = $this->workload->measure($this->job($form, $process), $form);
            self::assertGreaterThanOrEqual(self::FILES, $measured->window->operations);
        }
    }

    public function testTheFilesAreTheSameEachTimeAndAsLargeAsRealOnes(): void
    {
        $files = new ClassFiles($this->directory->path . '/files');
        $sizes = array_map(\strlen(...), $files->sources());

        self::assertSame($files->sources(), $files->sources());
        self::assertCount(500, $sizes);
        self::assertGreaterThan(500, min($sizes));
        self::assertLessThan(20_500, max($sizes));
        self::assertGreaterThan(15_000, max($sizes));
    }

    public function testAnUnknownProcessIsRefusedByName(): void
    {
        $form = self::form('code-include');
        $this->expectException(UsageError::class);
        $this->expectExceptionMessage('There are: fresh, opcache, slow.');
        $this->workload->measure($this->job($form, 'tmpfs'), $form);
    }

    public function testOtherSubjectsAreNoWayToLoadCode(): void
    {
        self::assertSame('is no way to load code', $this->workload->refuses(Catalogue::standard()->get('noop')));
        self::assertNull($this->workload->refuses(self::form('code-include')));
        self::assertSame(Role::Floor, self::form('code-none')->role);
    }

    private static function form(string $id): Definition
    {
        return (new Catalogue(CodeSubjects::subjects()))->get($id);
    }

    private function job(Definition $form, string $process): Job
    {
        return new Job(
            'code_files',
            $form->id,
            ['process' => $process],
            0.01,
            0,
            1,
            $form->needs === Kind::None ? [] : [$this->server->endpoint()],
            $this->directory->path,
            'code:',
            checked: $form->isChecked(),
        );
    }
}
