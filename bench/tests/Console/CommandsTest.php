<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Console;

use Larder\Bench\Result\Document;
use Larder\Bench\Result\DocumentFile;
use Larder\Bench\Tests\Report\Fixture;
use Larder\Bench\Tests\Run\BenchRun;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** The commands that measure nothing, as a user runs them. */
#[CoversNothing]
final class CommandsTest extends TestCase
{
    private BenchRun $bench;

    protected function setUp(): void
    {
        $this->bench = new BenchRun();
        DocumentFile::save(Fixture::document(), $this->bench->file);
    }

    protected function tearDown(): void
    {
        $this->bench->remove();
    }

    public function testListsTestsAndSubjects(): void
    {
        $text = $this->succeed(['list'])->getOutput();
        foreach ([
            'keys', 'keys_large', 'increase', 'append', 'multiple_keys', 'list', 'set', 'hash', 'pairs', 'pages',
            'overload', 'soak',
        ] as $test) {
            self::assertMatchesRegularExpression('/^  ' . $test . ' /m', $text);
        }
        foreach ([
            'noop', 'array', 'memcached', 'memcached-tuned', 'memcached-binary', 'memcache', 'memcache-udp', 'phpredis',
            'phpredis-unix', 'predis', 'apcu', 'file', 'sqlite', 'mariadb', 'mariadb-prepared', 'mariadb-handler',
            'handlersocket',
        ] as $subject) {
            self::assertMatchesRegularExpression('/^  ' . $subject . ' /m', $text);
        }
        $json = json_decode($this->succeed(['list', '--format=json'])->getOutput(), true, flags: JSON_THROW_ON_ERROR);
        self::assertIsArray($json);
        self::assertSame(['tests', 'subjects'], array_keys($json));
    }

    public function testMakesTheSameDocumentOutOfItsOwnFile(): void
    {
        $json = $this->succeed(['report', $this->bench->file, '--format=json'])->getOutput();

        self::assertSame(file_get_contents($this->bench->file), $json);
    }

    /** @param string $format as --format has it */
    #[DataProvider('formats')]
    public function testReportsInEveryFormat(string $format, string $sign): void
    {
        self::assertStringContainsString(
            $sign,
            $this->succeed(['report', $this->bench->file, '--format=' . $format])->getOutput(),
        );
    }

    /** @return iterable<string, array{string, string}> */
    public static function formats(): iterable
    {
        yield 'html' => ['html', '<html lang='];
        yield 'text' => ['text', 'CPU µs'];
        yield 'csv' => ['csv', 'chart,test,'];
        yield 'markdown' => ['markdown', '| subject |'];
    }

    public function testPutsAReportIntoAPageInThePlaceOfTheLastOne(): void
    {
        $page = $this->bench->file . '.md';
        try {
            file_put_contents($page, "# Results\n\nWords of its own.\n");
            $this->succeed(['report', $this->bench->file, '--format=markdown', '--into=' . $page]);
            $once = (string) file_get_contents($page);
            $this->succeed(['report', $this->bench->file, '--format=markdown', '--into=' . $page]);

            self::assertStringStartsWith("# Results\n\nWords of its own.\n", $once);
            self::assertStringContainsString('| subject |', $once);
            self::assertSame(rtrim($once), rtrim((string) file_get_contents($page)));
        } finally {
            @unlink($page);
        }
    }

    public function testTellsARatioAndItsInterval(): void
    {
        $ratio = json_decode(
            $this->succeed([
                'ratio',
                $this->bench->file,
                'phpredis',
                'predis',
                '--test=keys',
                '--format=json',
            ])->getOutput(),
            true,
            flags: JSON_THROW_ON_ERROR,
        );

        self::assertIsArray($ratio);
        self::assertIsArray($ratio['charts']);
        self::assertNotSame([], $ratio['charts']);
        self::assertStringContainsString(
            'phpredis / predis',
            $this->succeed(['ratio', $this->bench->file, 'phpredis', 'predis'])->getOutput(),
        );
    }

    public function testPrintsWhatWasFoundBesideRates(): void
    {
        $text = $this->succeed(['report', $this->bench->file, '--format=figures'])->getOutput();
        self::assertStringContainsString('encode us', $text);
        $json = json_decode(
            $this->succeed(['report', $this->bench->file, '--format=figures-json'])->getOutput(),
            true,
            flags: JSON_THROW_ON_ERROR,
        );
        self::assertIsArray($json);
        self::assertIsArray($json[0]);
        self::assertSame(['chart', 'test', 'parameters', 'subject', 'figures'], array_keys($json[0]));
        self::assertStringContainsString(
            'No chart of keys',
            $this->fails(2, ['report', $this->bench->file, '--format=figures', '--test=keys']),
        );
        self::assertStringContainsString(
            '--test goes with',
            $this->fails(2, ['report', $this->bench->file, '--test=keys']),
        );
    }

    public function testFindsNoDifferenceBetweenARunAndItself(): void
    {
        $text = $this->succeed(['compare', $this->bench->file, $this->bench->file, '--max-regress=5%'])->getOutput();

        self::assertStringContainsString('equal', $text);
        self::assertStringNotContainsString('faster', $text);
        self::assertStringNotContainsString('slower', $text);
    }

    public function testRefusesToCompareMachinesThatDiffer(): void
    {
        $here = Fixture::document();
        $other = new Document(
            $here->command,
            $here->profile,
            $here->started,
            $here->seconds,
            $here->complete,
            [...$here->environment, 'php' => ['version' => '7.4.0']],
            $here->limits,
            $here->subjects,
            $here->charts,
        );
        $file = $this->bench->file . '.other';
        try {
            DocumentFile::save($other, $file);

            self::assertStringContainsString('7.4.0', $this->fails(2, ['compare', $this->bench->file, $file]));
            self::assertNotSame(
                2,
                $this->bench->command(['compare', $this->bench->file, $file, '--ignore-environment'])->getExitCode(),
            );
        } finally {
            @unlink($file);
        }
    }

    public function testVerifiesItsOwnFilesAndNoOthers(): void
    {
        self::assertStringStartsWith('Sound.', $this->succeed(['verify', $this->bench->file])->getOutput());
        $text = (string) file_get_contents($this->bench->file);
        file_put_contents($this->bench->file, preg_replace('/"operations": (\d+)/', '"operations": 1$1', $text, 1));
        $process = $this->bench->command(['verify', $this->bench->file]);

        self::assertSame(1, $process->getExitCode());
        self::assertMatchesRegularExpression('/workers of block \d+ did/', $process->getOutput());
    }

    /** @param list<string> $arguments */
    #[DataProvider('mistakes')]
    public function testSaysWhatIsWrongWithACommandLine(array $arguments, string $message): void
    {
        self::assertStringContainsString($message, $this->fails(2, $arguments));
    }

    /** @return iterable<string, array{list<string>, string}> */
    public static function mistakes(): iterable
    {
        yield 'a test that is not there' => [['run', '--tests=keys:kes'], 'keys_large'];
        yield 'a client that is not there' => [['run', '--clients=memcachd'], 'memcached'];
        yield 'a profile that is not there' => [
            ['run', '--profile=slow'],
            'quick, memory, client, modules, cache, full',
        ];
        yield 'no number of workers' => [['run', '--tests=keys', '--workers=many'], '--workers must be 1 to 256'];
        yield 'too few blocks for an interval' => [['run', '--tests=keys', '--blocks=3'], '--blocks must be 6 to 1000'];
        yield 'a server on another machine' => [
            ['run', '--tests=keys', '--server=memcached=192.0.2.1:11211'],
            '192.0.2.1',
        ];
        yield 'a subjects file that is not there' => [['run', '--subjects=/nowhere.php'], '/nowhere.php'];
        yield 'a place for the result that is not there' => [['run', '--out=/nowhere/r.json'], 'cannot be written'];
        yield 'a result that is not there' => [['report', '/nowhere.json'], 'Cannot read /nowhere.json'];
        yield 'a result that is none' => [['report', __FILE__], 'JSON'];
        yield 'a format that is not there' => [['list', '--format=xml'], 'text, json'];
        yield 'subjects that no chart has' => [['ratio', __DIR__ . '/../../composer.json', 'a', 'b'], 'Not a result'];
        yield 'a share that is none' => [['compare', __FILE__, __FILE__, '--max-regress=lots'], 'JSON'];
    }

    public function testExplainsEveryCommand(): void
    {
        foreach (['run', 'list', 'report', 'ratio', 'compare', 'verify'] as $command) {
            self::assertStringContainsString('--help', $this->succeed([$command, '--help'])->getOutput());
        }
    }

    /** @param list<string> $arguments */
    private function succeed(array $arguments): Process
    {
        $process = $this->bench->command($arguments);
        self::assertSame(0, $process->getExitCode(), $process->getErrorOutput() . $process->getOutput());

        return $process;
    }

    /** @param list<string> $arguments */
    private function fails(int $code, array $arguments): string
    {
        $process = $this->bench->command($arguments);
        self::assertSame($code, $process->getExitCode(), $process->getOutput());

        return $process->getErrorOutput();
    }
}
