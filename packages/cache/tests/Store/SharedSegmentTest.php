<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Dependency\Gate\GateEntries;
use Larder\Dependency\Gates;
use Larder\Exception\PrivateMemory;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\Server\Program;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** php-fpm, started by root where this is root, and the command line of its workers' user on one segment. */
#[CoversClass(Gates::class)]
#[CoversClass(GateEntries::class)]
#[CoversClass(PrivateMemory::class)]
final class SharedSegmentTest extends TestCase
{
    private const PAGE = __DIR__ . '/segment-page.php';
    private TemporaryDirectory $directory;
    private Account $account;
    private ?PhpFpm $php = null;

    protected function setUp(): void
    {
        Extension::file();
        if (Program::find('php-fpm' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION) === null) {
            self::markTestSkipped('needs php-fpm');
        }
        $this->account = Account::ableToReach(__FILE__);
        $this->directory = new TemporaryDirectory();
        chmod($this->directory->path, 0o755);
        $own = $this->directory->path . '/php';
        mkdir($own . '/tmp', recursive: true);
        $this->account->own($own);
        file_put_contents($own . '/title', 'old');
        $this->account->own($own);
    }

    protected function tearDown(): void
    {
        $this->php?->stop();
        if (isset($this->directory)) {
            $this->directory->remove();
        }
    }

    public function testAChangeOfTheCommandLineEndsWhatPhpFpmHas(): void
    {
        $this->start();
        self::assertSame(['old', 'old'], [$this->ask(), $this->ask()]);
        file_put_contents($this->directory->path . '/php/title', 'told to nobody');
        self::assertSame(['old', 'old'], [$this->ask(), $this->command($this->segment())->getOutput()], 'both hit');

        self::assertSame('new', $this->command($this->segment(), 'new')->getOutput());
        self::assertSame('new', $this->ask());
    }

    public function testAChangeThatNobodyElseWouldSeeIsAnErrorThatNamesTheRemedy(): void
    {
        $this->start();
        self::assertSame('old', $this->ask());
        $refused = ['larder.name' => 'a/b', 'display_startup_errors' => '0', 'log_errors' => '0'];
        foreach (['since it has no name' => [], 'larder.name must be' => $refused] as $reason => $settings) {
            $command = $this->command($settings, 'new');
            self::assertSame(255, $command->getExitCode(), $command->getOutput());
            self::assertStringContainsString(PrivateMemory::class, $command->getOutput());
            self::assertStringContainsString($reason, $command->getOutput());
            self::assertStringContainsString('larder.owner or larder.group', $command->getOutput());
        }
        self::assertSame('old', file_get_contents($this->directory->path . '/php/title'), 'nothing was written');
    }

    /** @return array<string, string> settings for all that join */
    private function segment(): array
    {
        return [
            'larder.name' => 'site',
            'larder.directory' => $this->directory->path . '/php',
            'larder.size' => '8M',
            ...($this->account->user === null ? [] : ['larder.owner' => $this->account->user]),
        ];
    }

    private function start(): void
    {
        $this->php = new PhpFpm(
            $this->directory->path . '/php',
            $this->account,
            2,
            startup: ['extension' => Extension::file()] + $this->segment(),
        );
    }

    private function ask(): ?string
    {
        self::assertNotNull($this->php);

        return (new FastCgi($this->php->socket, self::PAGE))->get('directory=' . $this->directory->path . '/php');
    }

    /** @param array<string, string> $settings */
    private function command(array $settings, string ...$title): Process
    {
        $command = [PHP_BINARY];
        foreach (['extension' => Extension::file(), 'display_errors' => '1'] + $settings as $name => $value) {
            array_push($command, '-d', "$name=$value");
        }
        $arguments = [self::PAGE, $this->directory->path . '/php', ...array_values($title)];
        $process = new Process($this->account->command([...$command, ...$arguments]));
        $process->run();

        return $process;
    }
}
