<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Console\Code\Warming;
use Larder\Page\FilePageStore;
use Larder\Proof\MutantsCommand;
use Larder\Proof\Mutation\Change;
use Larder\Proof\Mutation\Mutant;
use Larder\Proof\Mutation\Place;
use Larder\Proof\Mutation\Renamed;
use Larder\Proof\Mutation\Rewriting;
use Larder\Sql\Tracker\RecordedReads;
use LogicException;
use PhpParser\NodeDumper;
use PhpParser\ParserFactory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use ReflectionClass;
use Symfony\Component\Console\Tester\CommandTester;

#[CoversClass(Change::class)]
#[CoversClass(Mutant::class)]
#[CoversClass(MutantsCommand::class)]
#[CoversClass(Place::class)]
#[CoversClass(Renamed::class)]
#[CoversClass(Rewriting::class)]
final class MutantsTest extends TestCase
{
    /** @return iterable<string, array{Mutant}> */
    public static function mutants(): iterable
    {
        foreach (MutantsCommand::all() as $proof => $mutant) {
            yield "$proof, $mutant->class" => [$mutant];
        }
    }

    #[DataProvider('mutants')]
    public function testEachChangesItsClassAlsoWhereAllVariablesHaveOtherNames(Mutant $mutant): void
    {
        $dumper = new NodeDumper();
        $made = $dumper->dump($mutant->applied($mutant->parsed()));
        $printed = (new ParserFactory())->createForHostVersion()->parse($mutant->file()) ?? [];

        self::assertNotSame($dumper->dump($mutant->parsed()), $made);
        self::assertSame($made, $dumper->dump($printed));
        self::assertNull(MutantsCommand::complaint($mutant, true));
    }

    public function testATemplateThatNamesAVariableOfTheLibraryIsFound(): void
    {
        $mutant = Mutant::of(RecordedReads::class)->replace('view / branch refuse / cond', '$tables !== null');

        self::assertNull(MutantsCommand::complaint($mutant, false));
        self::assertSame(
            RecordedReads::class . ': its template names tables',
            MutantsCommand::complaint($mutant, true),
        );
    }

    #[TestWith(['nowhere', 0])]
    #[TestWith(['take / statement never', 0])]
    #[TestWith(['take / statement unlink', 3])]
    #[TestWith(["draft / statement write '.gz'", 0])]
    #[TestWith(['draft / call bin2hex / args.7', 0])]
    public function testAPlaceThatIsNotThereOnceIsRefused(string $place, int $times): void
    {
        $this->expectException(LogicException::class);
        $this->expectExceptionMessageMatches(
            '~^' . preg_quote(FilePageStore::class . ": $place: ") . ".* is found $times times, not once~",
        );

        Mutant::of(FilePageStore::class)->remove($place)->load();
    }

    public function testATextIsFoundOnceInOneLiteralOrIsRefused(): void
    {
        $this->expectException(LogicException::class);
        $this->expectExceptionMessageMatches('~"/draft" is found \d+ times, not once~');

        Mutant::of(FilePageStore::class)->text('begin', '/draft', '')->text('begin', '/draft', '')->load();
    }

    public function testAMutatedClassKnowsTheDirectoryOfTheRealOne(): void
    {
        $loaded = Mutant::of(Warming::class)->load();

        self::assertNotSame(Warming::class, $loaded);
        self::assertTrue(class_exists($loaded, false));
        $script = (new ReflectionClass($loaded))->getConstant('SCRIPT');
        self::assertIsString($script);
        self::assertFileExists($script);
    }

    public function testTheProgramListsAndChecksThem(): void
    {
        $count = iterator_count(MutantsCommand::all());
        $command = new CommandTester(new MutantsCommand());
        self::assertSame(0, $command->execute(['--check' => true, '--renamed' => true]));
        self::assertSame("$count passed, 0 failed\n", $command->getDisplay(true));
        self::assertSame(0, $command->execute(['--format' => 'json']));
        $listed = json_decode($command->getDisplay(), true);
        self::assertIsArray($listed);
        self::assertCount($count, $listed);
        self::assertContains([
            'proof' => 'exact --without=declared',
            'class' => RecordedReads::class,
            'changes' => ['view / branch refuse / cond becomes false'],
        ], $listed);
        $command->execute([]);
        self::assertStringContainsString('view / branch refuse / cond becomes false', $command->getDisplay());
    }
}
