<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Larder\Console\Doctor\FunctionCalls;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Functions of mysqli in the code of a site, whose statements no connection sees. */
#[CoversClass(FunctionCalls::class)]
final class FunctionCallsTest extends TestCase
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

    /** @return iterable<string, array{string, string|null}> code behind `<?php`, and what is found in it */
    public static function codes(): iterable
    {
        yield 'a query' => ["\n\$r = mysqli_query(\$db, 'SELECT 1');", 'mysqli_query() in %s:2'];
        yield 'in a namespace' => ["namespace A;\n\n\\mysqli_Begin_transaction (\$db);", 'mysqli_Begin_transaction()'];
        yield 'a statement' => ['mysqli_stmt_execute($s);', 'mysqli_stmt_execute() in %s:1'];
        yield 'the first five' => [
            str_repeat("\nmysqli_commit(\$db);", 7),
            'mysqli_commit() in %1$s:2, mysqli_commit() in %1$s:3, mysqli_commit() in %1$s:4, '
                . 'mysqli_commit() in %1$s:5, mysqli_commit() in %1$s:6 and 2 more',
        ];
        yield 'a method' => ['$db->mysqli_query(1); $db?->mysqli_query(1); A::mysqli_query(1); $db->query(1);', null];
        yield 'a declaration' => ['function mysqli_query() {}', null];
        yield 'a text and a comment' => ["'mysqli_query(1)'; // mysqli_query(1)", null];
        yield 'a name' => ["function_exists('mysqli_query'); mysqli_report(0);", null];
        yield 'what no transaction and no statement needs' => ['mysqli_real_escape_string($db, $text);', null];
    }

    #[DataProvider('codes')]
    public function testCallsAreNamedByFileAndLine(string $code, ?string $found): void
    {
        $path = $this->directory->path . '/shop.php';
        file_put_contents($path, '<?php ' . $code);
        $check = (new FunctionCalls())->ofFiles([$path, $this->directory->path . '/gone.php']);

        self::assertSame($found === null ? 'ok' : 'remark', $check->state);
        self::assertStringContainsString(\sprintf($found ?? '', $path), (string) $check->remedy);
    }

    public function testLibrariesAreLeftOut(): void
    {
        mkdir($this->directory->path . '/vendor');
        $path = $this->directory->path . '/vendor/dbal.php';
        file_put_contents($path, '<?php mysqli_query($db, 1);');

        self::assertSame('ok', (new FunctionCalls())->ofFiles([$path])->state);
    }
}
