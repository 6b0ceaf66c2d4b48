<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Published;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Published;
use Larder\Bench\Workload\Published\LoadedFiles;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(LoadedFiles::class)]
final class LoadedFilesTest extends TestCase
{
    private TemporaryDirectory $directory;
    private Memcached $server;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('bench-code');
        $this->server = new Memcached($this->directory->path . '/memcached');
    }

    protected function tearDown(): void
    {
        $this->server->stop();
        $this->directory->remove();
    }

    public function testIsLaidOutLikeTheSourceAndTellsThatBatchesAskNoServer(): void
    {
        $published = $this->publish();

        self::assertMatchesRegularExpression(
            '/^Loaded 500 files using regular include\(\) in [\d.E-]+\n'
                . 'Loaded 500 files using MemFS in [\d.E-]+\n'
                . 'Loaded 500 files using MemFS \(10 files at the time\) [\d.E-]+\n'
                . 'Loaded 500 files using MemFS \(250 files at the time\) [\d.E-]+\n'
                . 'Loaded 500 files using MemFS \(500 files at the time\) [\d.E-]+\n$/D',
            $published->text,
        );
        self::assertStringContainsString('called 500, 0, 0, 0 times in the four tests', $published->remark);
    }

    public function testAFileThatCameChangedIsWrong(): void
    {
        $this->publish();
        $endpoint = $this->server->endpoint();
        $memcached = new \Memcached();
        $memcached->addServer($endpoint->host, $endpoint->port);
        $memcached->set('b4:' . md5($this->directory->path . '/published-code/7.php'), '<?php 1;');

        $this->expectException(WrongReply::class);
        $this->publish();
    }

    private function publish(): Published
    {
        return (new LoadedFiles())->run(
            fn(): array => [$this->server->endpoint()],
            $this->directory->path,
            static fn() => null,
        );
    }
}
