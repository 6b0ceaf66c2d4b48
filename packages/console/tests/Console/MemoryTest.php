<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Larder\Console\Application;
use Larder\Console\MemoryCommand;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/**
 * The commands on shared memory, each in a process of its own, over a named segment that another process has made and
 * left.
 */
#[CoversNothing]
final class MemoryTest extends TestCase
{
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testInfoTellsOfTheNamedSegment(): void
    {
        $this->fill('$memory->set("k", range(1, 1000)); $memory->lease("l", 60.0);');
        $info = $this->json('memory:info', '--name=site');

        self::assertSame($this->directory->path . '/larder.site', $info['name']);
        self::assertSame(
            [1, false, 8 << 20, 'copy'],
            [$info['entries'], $info['private'], $info['size'], $info['mode']],
        );
        [$code, $text] = $this->larder('memory:info', '--name=site');
        self::assertSame(0, $code);
        self::assertStringContainsString($this->directory->path . '/larder.site: 8.0 MB', $text);
        self::assertMatchesRegularExpression('/^1 entries, \d+ leases; /m', $text);
        self::assertSame(1, preg_match_all('/^ +0 +\d+ /m', $text), 'a line for each shard');
    }

    public function testOptionsMayStandBeforeTheKeyOrAfterIt(): void
    {
        $this->fill('$memory->set("k", "v");');

        self::assertSame([0, "'v'\n"], $this->larder('memory:get', '--name=site', 'k'));
        self::assertSame([0, "'v'\n"], $this->larder('memory:get', 'k', '--name=site'));
    }

    public function testAProcessThatHasTheSegmentAnswersItself(): void
    {
        $this->fill('$memory->set("k", "v");');
        $process = Extension::process(
            ['larder.directory' => $this->directory->path, 'larder.name' => 'site'],
            '-d',
            'disable_functions=proc_open',
            __DIR__ . '/../../bin/larder',
            'memory:get',
            'k',
        );

        self::assertSame([0, "'v'\n"], [$process->run(), $process->getOutput()]);
    }

    public function testKeysListsWithPrefixAndLimit(): void
    {
        $this->fill(
            'for ($i = 0; $i < 2500; ++$i) { $memory->set("news:$i", $i); } $memory->set("other", [1], 3600.0); '
                . '$memory->set("\0\xff", 1);',
        );
        $all = $this->json('memory:keys', '--name=site', '--limit=0');
        self::assertIsArray($all['entries']);
        self::assertCount(2502, $all['entries']);
        self::assertFalse($all['more']);
        $some = $this->json('memory:keys', '--name=site', '--prefix=news:', '--limit=7');
        self::assertIsArray($some['entries']);
        self::assertCount(7, $some['entries']);
        self::assertTrue($some['more']);
        $other = $this->json('memory:keys', '--name=site', '--prefix=other');
        self::assertIsArray($other['entries']);
        self::assertIsArray($other['entries'][0]);
        self::assertSame(['other', 'array'], [$other['entries'][0]['key'], $other['entries'][0]['type']]);
        self::assertEqualsWithDelta(microtime(true) + 3600, $other['entries'][0]['expires'], 60);
        [$code, $text] = $this->larder('memory:keys', '--name=site', '--limit=0');
        self::assertSame(0, $code);
        self::assertStringContainsString("without end          \\000\\377  (a mark of Larder)\n", $text);
        self::assertStringEndsWith("2502 keys\n", $text);
        self::assertStringEndsWith(
            "1000 keys, and more: raise --limit\n",
            $this->larder('memory:keys', '--name=site')[1],
        );
        self::assertSame(2, $this->larder('memory:keys', '--name=site', '--limit=-1')[0]);
    }

    public function testGetPrintsTheValue(): void
    {
        $this->fill('$memory->set("k", ["a" => [1, 2.0, null], "b" => "c"]); $memory->set("k\0", false);');

        self::assertSame(['a' => [1, 2.0, null], 'b' => 'c'], $this->json('memory:get', '--name=site', 'k')['value']);
        self::assertSame([0, "false\n"], $this->larder('memory:get', '--name=site', '--base64', base64_encode("k\0")));
        [$code, $text] = $this->larder('memory:get', '--name=site', 'k');
        self::assertSame(0, $code);
        self::assertSame(['a' => [1, 2.0, null], 'b' => 'c'], eval("return $text;"));
    }

    /** Whoever is asked for a value, a key or a command that somebody else has chosen. */
    public function testNoByteOfAValueOrAnErrorActsOnTheTerminal(): void
    {
        $evil = "\e[2J\e]0;x\x07\r\u{9b}31m\u{202e}x\x7f";
        $coded = base64_encode($evil);
        $this->fill("\$memory->set('k', base64_decode('$coded')); \$memory->set(base64_decode('$coded'), 1);");
        $told = [
            'as PHP' => $this->larder('memory:get', '--ansi', '--name=site', 'k')[1],
            'as JSON' => $this->larder('memory:get', '--format=json', '--name=site', 'k')[1],
            'keys' => $this->larder('memory:keys', '--ansi', '--name=site')[1],
            'a key that is not there' => $this->larder('memory:get', '--ansi', '--name=site', $evil)[1],
            'a command' => $this->larder("memory:$evil", '--ansi')[1],
            'a segment' => $this->larder('memory:get', '--ansi', "--name=$evil", 'k')[1],
        ];
        foreach ($told as $what => $text) {
            self::assertDoesNotMatchRegularExpression(
                '/\e(?!\[[0-9;]*m)|[\x00-\x08\x0B-\x1A\x1C-\x1F\x7F\x{80}-\x{9F}\x{202A}-\x{202E}]/u',
                $text,
                $what,
            );
        }
        self::assertSame($evil, ((array) json_decode($told['as JSON'], true))['value']);
        self::assertStringContainsString('\u001b[2J', $told['as PHP']);
    }

    public function testAValueOfACacheIsShownAsWhatItIs(): void
    {
        $this->fill(
            '$gates = new Larder\Dependency\Gates($memory, inTransaction: fn() => false);'
                . '$cache = new Larder\Cache($memory, $gates);'
                . '$cache->remember("top", fn() => ["apple"], 60.0, 30.0, ["sales"]);'
                . '$cache->remember(str_repeat("long", 300), fn() => 1);',
        );
        $shown = $this->json('memory:get', '--name=site', 'top');
        self::assertSame([['apple'], ['sales']], [$shown['value'], $shown['made_from']]);
        self::assertIsFloat($shown['made']);
        self::assertIsFloat($shown['fresh_until']);
        self::assertEqualsWithDelta($shown['made'] + 60.0, $shown['fresh_until'], 0.01);
        [, $text] = $this->larder('memory:get', '--name=site', 'top');
        self::assertSame(['apple'], eval("return $text;"));
        self::assertMatchesRegularExpression(
            '~^// made 20\S+ \S+Z in \S+ s; from sales\n// fresh until .*Z, kept until .*Z\n~',
            $text,
        );
        [, $text] = $this->larder('memory:keys', '--name=site');
        self::assertStringContainsString('(version of sales)', $text);
        self::assertStringContainsString('(value of a long key, SHA-256 ', $text);
    }

    public function testDeleteRemovesAndSaysWhetherItWasThere(): void
    {
        $this->fill('$memory->set("k", 1);');

        self::assertSame([0, "k is deleted.\n"], $this->larder('memory:delete', '--name=site', 'k'));
        self::assertSame(1, $this->larder('memory:delete', '--name=site', 'k')[0]);
        self::assertSame(1, $this->larder('memory:get', '--name=site', 'k')[0]);
        self::assertSame(['key' => 'k', 'deleted' => false], $this->json('memory:delete', '--name=site', 'k', 1));
        self::assertSame(['key' => 'k', 'found' => false], $this->json('memory:get', '--name=site', 'k', 1));
    }

    public function testClearAsksAndTakesOneNamespace(): void
    {
        $this->fill('$memory->set("k", 1); (new Larder\SharedMemory("shop"))->set("k", 2);');

        [$code, $text] = $this->larder('memory:clear', '--name=site', '--namespace=shop', '--no-interaction');
        self::assertSame(2, $code);
        self::assertStringContainsString('give --force', $text);
        self::assertSame(['error'], array_keys($this->json('memory:clear', '--name=site', '--namespace=shop', 2)));
        [$code, $text] = $this->clearShop("no\n");
        self::assertSame(1, $code);
        self::assertStringContainsString('Remove all keys in namespace "shop"', $text);
        self::assertSame([0, "2\n"], $this->larder('memory:get', '--name=site', '--namespace=shop', 'k'));
        self::assertSame(0, $this->clearShop("y\n")[0]);
        self::assertSame(1, $this->larder('memory:get', '--name=site', '--namespace=shop', 'k')[0]);
        self::assertSame([0, "1\n"], $this->larder('memory:get', '--name=site', 'k'));
        self::assertSame(['cleared' => true], $this->json('memory:clear', '--name=site', '--force'));
        self::assertSame(1, $this->larder('memory:get', '--name=site', 'k')[0]);
    }

    /** @return iterable<string, array{list<string>, string}> */
    public static function impossible(): iterable
    {
        yield 'no name' => [[], 'This program sees only a segment that has a name'];
        yield 'no such segment' => [['--name=shop'], 'There is no segment "shop"'];
        yield 'a name that is a path' => [['--name=../site'], '"../site" in'];
        yield 'a namespace that cannot be' => [['--name=site', '--namespace=' . str_repeat('n', 64)], 'at most 63'];
        yield 'a segment that is damaged' => [['--name=broken'], 'could not attach the segment'];
        yield 'a format that is none' => [['--name=site', '--format=xml'], '--format is txt or json'];
    }

    /** @param list<string> $options */
    #[DataProvider('impossible')]
    public function testWhatCannotBeIsAClearErrorAndMakesNoSegment(array $options, string $message): void
    {
        $this->fill('');
        file_put_contents($this->directory->path . '/larder.broken', str_repeat('x', 100_000));
        $files = $this->directory->files();
        [$code, $text] = $this->larder('memory:info', ...$options);

        self::assertSame(2, $code, $text);
        self::assertStringContainsString($message, $text);
        self::assertSame($files, $this->directory->files());
    }

    public function testTheSegmentsThatThereAreAreNamed(): void
    {
        self::assertStringContainsString(
            "In {$this->directory->path} there is none",
            $this->larder('memory:info', '--name=x')[1],
        );
        $this->fill('');
        self::assertStringContainsString(
            "In {$this->directory->path} there are: site",
            $this->larder('memory:info', '--name=x')[1],
        );
        self::assertSame(['larder.site'], $this->directory->files());
    }

    public function testAnErrorIsJsonToo(): void
    {
        $error = $this->json('memory:keys', '--name=shop', 2)['error'];

        self::assertIsString($error);
        self::assertStringContainsString('There is no segment "shop"', $error);
    }

    public function testAPhpThatTakesNoSettingsIsNoLoop(): void
    {
        $this->fill('');
        $process = $this->process('memory:info', '--name=site');
        $process->setEnv(['LARDER_RERUN' => '1']);

        self::assertSame(2, $process->run());
        self::assertStringContainsString(
            'does not take its settings from the command line',
            $process->getErrorOutput(),
        );
    }

    public function testWithoutTheExtensionTheRemedyIsTold(): void
    {
        $process = new Process([PHP_BINARY, '-n', __DIR__ . '/../../bin/larder', 'memory:info', '--name=site']);

        self::assertSame(2, $process->run());
        self::assertStringContainsString('add extension=larder.so to', $process->getErrorOutput());
    }

    public function testTheReferenceNamesEveryCommandAndOption(): void
    {
        $reference = (string) file_get_contents(\dirname(__DIR__, 4) . '/docs/reference/cli.md');
        $commands = array_filter(
            Application::create()->all(),
            static fn(object $command): bool => $command instanceof MemoryCommand,
        );
        self::assertCount(5, $commands);
        foreach ($commands as $command) {
            self::assertStringContainsString('## larder ' . $command->getName() . "\n", $reference);
            foreach (array_keys($command->getDefinition()->getOptions()) as $option) {
                self::assertStringContainsString('--' . $option, $reference);
            }
        }
    }

    /** Makes the segment "site" and fills it, in a process that is over when this returns. */
    private function fill(string $program): void
    {
        Extension::output(
            ['larder.directory' => $this->directory->path, 'larder.name' => 'site', 'larder.size' => '8M'],
            '$memory = new Larder\SharedMemory();' . $program,
        );
    }

    private function process(string ...$words): Process
    {
        return Extension::process(
            ['larder.directory' => $this->directory->path],
            __DIR__ . '/../../bin/larder',
            ...$words,
        );
    }

    /**
     * @return array{int, string} exit code, and what it said on whatever stream
     *
     * @phpstan-impure
     */
    private function larder(string ...$words): array
    {
        $process = $this->process(...$words);

        return [$process->run(), $process->getErrorOutput() . $process->getOutput()];
    }

    /** @return array{int, string} */
    private function clearShop(string $answer): array
    {
        $process = $this->process('memory:clear', '--name=site', '--namespace=shop')->setInput($answer);

        return [$process->run(), $process->getErrorOutput()];
    }

    /** @return array<array-key, mixed> */
    private function json(string|int ...$words): array
    {
        $expected = \is_int(end($words)) ? array_pop($words) : 0;
        $process = $this->process('--format=json', ...array_map(strval(...), $words));
        self::assertSame($expected, $process->run(), $process->getErrorOutput());
        $values = json_decode($process->getOutput(), true, flags: JSON_THROW_ON_ERROR);
        self::assertIsArray($values);

        return $values;
    }
}
