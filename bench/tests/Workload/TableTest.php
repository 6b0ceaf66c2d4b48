<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload;

use Larder\Bench\Run\Planner;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Published\LoadedFiles;
use Larder\Bench\Workload\Table;
use Larder\Bench\Workload\Tests;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Table::class)]
#[CoversClass(Tests::class)]
final class TableTest extends TestCase
{
    private const ROW = "'B1 get', 'a get', 'gets', Larder\\Bench\\Workload\\Client\\KeyOperations::Get, 'noop array'";

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('table');
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testARowIsATest(): void
    {
        $further = "'quick' => [['workers' => 1]], 'quickSubjects' => 'noop', 'blocks' => 2, "
            . "'published' => static fn() => [new Larder\\Bench\\Workload\\Published\\LoadedFiles()]";
        $full = "[['a' => [1, 2], 'b' => 'x', 'c' => [true, 0.5]], ['a' => 3]]";
        $table = $this->table(\sprintf("['get' => [%s, %s, %s]]", self::ROW, $full, $further));
        [$test] = $table->tests(Catalogue::standard());

        self::assertSame(['get'], $table->names());
        self::assertSame(['get', 'B1 get', 'a get', 'gets'], [$test->name, $test->title, $test->work, $test->unit]);
        self::assertInstanceOf(InProcess::class, $test->workload);
        self::assertSame([['noop', 'array'], ['noop'], 2], [$test->subjects, $test->quickSubjects, $test->blocks]);
        self::assertSame([['workers' => 1]], $test->quick);
        self::assertSame([
            ['a' => 1, 'b' => 'x', 'c' => true], ['a' => 1, 'b' => 'x', 'c' => 0.5],
            ['a' => 2, 'b' => 'x', 'c' => true], ['a' => 2, 'b' => 'x', 'c' => 0.5],
            ['a' => 3],
        ], $test->full);
        self::assertEquals([new LoadedFiles()], $test->published);
    }

    #[DataProvider('wrongTables')]
    public function testAWrongRowIsNamed(string $table, string $message): void
    {
        $this->expectExceptionMessageMatches($message);
        $this->table($table)->tests(Catalogue::standard());
    }

    /** @return iterable<string, array{string, string}> */
    public static function wrongTables(): iterable
    {
        $row = self::ROW;
        yield 'no table' => ['1', '~wrong\.php returns no table~'];
        yield 'no row' => ["['get' => 1]", '~^Row "get" of wrong\.php: a row is a list of columns~'];
        yield 'no name' => ["[[$row, []]]", '~^Row "0" of wrong\.php: a row is a list of columns, by the name~'];
        yield 'an unknown column' => ["['get' => [$row, [], 'quik' => []]]", '~there is no column quik~'];
        yield 'too many columns' => ["['get' => [$row, [], 1]]", '~there is no column 6~'];
        yield 'no title' => ["['get' => ['']]", '~title is no text~'];
        yield 'no workload' => ["['get' => ['a', 'b', 'c', 'd']]", '~workload is neither~'];
        yield 'no conditions' => ["['get' => [$row]]", '~full is no list~'];
        yield 'a condition without a name' => ["['get' => [$row, [1]]]", '~full has a value without a parameter~'];
        yield 'a condition that is nothing' => ["['get' => [$row, [['a' => null]]]]", '~full has a value without~'];
        yield 'a list of subjects' => ["['get' => [$row, [], 'quickSubjects' => []]]", '~quickSubjects is no text~'];
        yield 'blocks in words' => ["['get' => [$row, [], 'blocks' => 'two']]", '~blocks is no number~'];
        yield 'no run' => ["['get' => [$row, [], 'published' => static fn() => [1]]]", '~published is no run~'];
    }

    public function testEveryTestOfThePackageNamesSubjectsThatThereAre(): void
    {
        $catalogue = Planner::catalogue();
        $tests = Tests::standard($catalogue)->all();
        self::assertNotSame([], $tests);
        foreach ($tests as $test) {
            self::assertSame([], array_diff($test->quickSubjects ?? [], $test->subjects), $test->name);
            self::assertNotSame([], $test->full, $test->name);
            foreach ($test->subjects as $subject) {
                $catalogue->get($subject);
            }
        }
    }

    private function table(string $rows): Table
    {
        $file = $this->directory->path . '/wrong.php';
        file_put_contents($file, "<?php\n\nreturn $rows;\n");

        return new Table($file);
    }
}
