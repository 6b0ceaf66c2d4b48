<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Sql\Schema\KeptCatalog;
use Larder\Sql\Schema\MariaDbDialect;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** What the ledger keeps of the server's answers, by a server that is only an array. */
#[CoversClass(KeptCatalog::class)]
final class KeptCatalogTest extends TestCase
{
    private const COLUMNS = 'SELECT what it says of its columns';

    private int $version = 7;

    private string $life = 'one';

    /** @var list<array{string, int, string, string, string, int}> as the columns of larder_plan */
    private array $plan = [];

    private int $asked = 0;

    private bool $hasPlan = true;

    public function testAnotherRequestDoesNotAskAgain(): void
    {
        self::assertSame([['name' => 'id', 'key' => 1, 'none' => null]], $this->ask($this->catalog()));
        self::assertSame([['name' => 'id', 'key' => 1, 'none' => null]], $this->ask($this->catalog()));

        self::assertSame(1, $this->asked);
    }

    public function testAnotherVersionLifeOrSessionHasAnswersOfItsOwn(): void
    {
        $this->ask($this->catalog());
        $this->version = 8;
        $this->ask($this->catalog());
        $this->life = 'two';
        $this->ask($this->catalog());
        $this->ask($this->catalog('other'));

        self::assertSame(4, $this->asked);
    }

    public function testAVersionThatIsAskedForAgainEndsWhatWasKept(): void
    {
        $catalog = $this->catalog();
        $this->ask($catalog);
        $this->version = 8;
        $this->ask($catalog);

        self::assertSame(2, $this->asked);
    }

    public function testAPlanOfALaterVersionIsNotTaken(): void
    {
        $this->version = 9;
        $this->ask($this->catalog());
        $this->version = 7;
        $this->ask($this->catalog());

        self::assertSame(2, $this->asked);
    }

    public function testTheAnswersOfOneVersionAreKept(): void
    {
        for ($this->version = 1; $this->version < 5; ++$this->version) {
            $this->ask($this->catalog());
            $this->ask($this->catalog('other'));
        }

        self::assertCount(2, $this->plan);
    }

    public function testAnAnswerOfMoreThanAMinuteAgoIsAskedForAndKeptAnew(): void
    {
        $this->ask($this->catalog());
        $this->plan[0][5] -= 61;
        $this->ask($this->catalog());
        $this->ask($this->catalog());

        self::assertSame([2, 1], [$this->asked, \count($this->plan)]);
    }

    public function testADamagedAnswerIsNone(): void
    {
        $this->ask($this->catalog());
        foreach (['', '*', base64_encode('no deflate'), base64_encode((string) gzdeflate('a:1:{i:0;i:1;}'))] as $text) {
            $this->plan[0][4] = $text;
            self::assertSame('id', $this->ask($this->catalog())[0]['name']);
        }
    }

    public function testWithoutATableOrAVersionTheServerIsAsked(): void
    {
        $this->hasPlan = false;
        $this->ask($this->catalog());
        $this->catalog()->rows(self::COLUMNS);

        self::assertSame([2, []], [$this->asked, $this->plan]);
    }

    public function testWhatTheFirstSnapshotTookAlongIsAskedForByNobody(): void
    {
        $this->ask($this->catalog('5e55'));
        $version = (new MariaDbDialect())->catalog()->schemaVersion();
        $catalog = $this->catalog('5e55');
        self::assertCount(2, $catalog->opening() ?? []);
        $sets = [['id' => 3, 'tbl' => 'item', 'columns' => 'name'], ['id' => 5, 'tbl' => 'note', 'columns' => 'item']];
        $of = [['version' => 7, 'last_set' => 5]];
        self::assertSame($of, $catalog->opened($this->rows('', ['5e55', 0]), $sets));
        $this->version = 8;

        self::assertSame($of, $catalog->rows($version));
        $catalog->rows(self::COLUMNS);
        self::assertSame(1, $this->asked);
        self::assertNull($catalog->opening());
        self::assertSame([['version' => 8, 'last_set' => 0]], $catalog->rows($version), 'It is taken once.');
    }

    public function testASessionThatIsNoHashIsNotWrittenIntoAQuery(): void
    {
        self::assertNull($this->catalog("'")->opening());
    }

    /** @return list<array<string, scalar|null>> */
    private function ask(KeptCatalog $catalog): array
    {
        $catalog->rows((new MariaDbDialect())->catalog()->schemaVersion());

        return $catalog->rows(self::COLUMNS);
    }

    private function catalog(string $session = 'session'): KeptCatalog
    {
        return new KeptCatalog(
            new MariaDbDialect(),
            $this->rows(...),
            $this->change(...),
            $this->together(...),
            static fn(): string => $session,
        );
    }

    /**
     * @param array<int, scalar|null> $values
     *
     * @return list<array<string, scalar|null>>
     */
    private function rows(string $sql, array $values = []): array
    {
        if ($sql === (new MariaDbDialect())->catalog()->schemaVersion()) {
            return [['version' => $this->version, 'last_set' => 0]];
        }
        if ($sql === self::COLUMNS) {
            ++$this->asked;

            return [['name' => 'id', 'key' => 1, 'none' => null]];
        }
        if (!$this->hasPlan) {
            throw new PDOException('There is no table larder_plan.');
        }
        $rows = [];
        foreach ($this->plan as [$life, $version, $session, $query, $answer, $made]) {
            if ([$life, $session] === [$this->life, $values[0]] && $made > $values[1]) {
                $rows[] = ['version' => $version, 'query' => $query, 'answer' => $answer];
            }
        }
        $of = ['id' => $this->life, 'present' => $this->version];

        return array_map(
            static fn(array $row): array => $of + $row,
            $rows === [] ? [['version' => null, 'query' => null, 'answer' => null]] : $rows,
        );
    }

    /**
     * @param non-empty-list<array{string, list<scalar|null>}> $statements
     *
     * @return list<list<array<string, scalar|null>>>
     */
    private function together(array $statements): array
    {
        return [$this->rows(...$statements[0]), []];
    }

    /** @param array<int, scalar|null> $values */
    private function change(string $sql, array $values): int
    {
        if (str_starts_with($sql, 'DELETE')) {
            // As it reads: any of its conditions is enough.
            preg_match_all('/(life|version|made) (<>|<=) \?/', $sql, $conditions, PREG_SET_ORDER);
            self::assertCount(\count($values), $conditions);
            foreach ($conditions as $i => [, $column, $sign]) {
                $at = ['life' => 0, 'version' => 1, 'made' => 5][$column];
                $this->plan = array_values(array_filter(
                    $this->plan,
                    static fn(array $row): bool => $sign === '<>' ? $row[$at] === $values[$i] : $row[$at] > $values[$i],
                ));
            }
        } else {
            /** @var array{string, int, string, string, string, int} $values */
            $this->plan[] = $values;
        }

        return 1;
    }
}
