<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use ArrayObject;
use Closure;
use Larder\Console\FollowCommand;
use Larder\Follow\Followed;
use Larder\Follow\Follower;
use Larder\Follow\Settings;
use Larder\Row\Rows;
use Larder\Row\Scrubber;
use Larder\Sql\Ledger\AnnouncedChange;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Testbed\Server\DatabaseKind;
use LogicException;
use PHPUnit\Framework\Attributes\DataProvider;
use Symfony\Component\Console\Tester\CommandTester;
use Symfony\Component\Process\Process;

/** What a follower promises, of a real database, with writers of which Larder knows nothing. */
abstract class FollowerCase extends FollowedDatabaseCase
{
    /** What a file of `larder follow` returns, of this process. */
    public static ?Followed $told = null;

    /** It takes longer to read than as many signs as may be missing, unless the machine is very quick. */
    public function testALongTransactionIsReadToItsEnd(): void
    {
        $this->follow();
        $this->plain->exec('INSERT INTO other SELECT ' . match (static::kind()) {
            DatabaseKind::MariaDb => 'seq FROM seq_1_to_400000',
            default => 'seq FROM generate_series(1, 400000) AS seq',
        });
        $this->follow();
        self::assertGreaterThanOrEqual(400000, $this->counters->all()['larder_follow_rows_total'] ?? 0);
    }

    public function testARowThatAnyProgramChangesEnds(): void
    {
        $this->follow();
        $news = $this->news();
        self::assertSame('Four', $news->find(4)['title'] ?? null);
        self::assertNull($news->find(9));
        self::assertSame([4, 5], array_column($news->findAll('category', 5), 'id'));
        self::assertSame('Five', $news->findBy(['slug' => 'five'])['title'] ?? null);
        $this->plain->exec("UPDATE news SET title = 'New', category = 7 WHERE id = 4");
        $this->plain->exec("INSERT INTO news VALUES (9, 'nine', 5, 'Nine')");
        $this->plain->exec("UPDATE news SET slug = 'cinq' WHERE id = 5");
        // Nobody has told the store.
        self::assertSame('Four', self::title($news, 4));
        $this->follow();
        $news = $this->news();
        self::assertSame('New', $news->find(4)['title'] ?? null);
        self::assertSame('Nine', $news->find(9)['title'] ?? null);
        self::assertSame([5, 9], array_column($news->findAll('category', 5), 'id'));
        self::assertSame([4, 6], array_column($news->findAll('category', 7), 'id'));
        self::assertNull($news->findBy(['slug' => 'five']));
        self::assertSame(1, $this->everything());
    }

    /**
     * Larder's change of a row ends the row, and not the lists in which it stays. So what another one did to a list is
     * seen when the follower has seen it, whoever writes the row meanwhile.
     */
    public function testAListWaitsForTheFollowerAndItsRowsDoNot(): void
    {
        $this->follow();
        $rows = new Rows($this->ledger(), $this->store, followed: true);
        $news = $rows->table('news');
        self::assertSame([6], array_column($news->findAll('category', 7), 'id'));
        self::assertSame('Four', self::title($news, 4));
        $this->plain->exec('UPDATE news SET category = 7 WHERE id = 4');
        $writer = $this->open();
        new Rows(SqlLedger::forValues($writer), $this->store);
        $writer->exec("UPDATE news SET title = 'New' WHERE id = 4");
        self::assertSame(['New', 7], array_values((array) $news->find(4, ['title', 'category'])));
        self::assertSame([6], array_column($news->findAll('category', 7), 'id'));
        // What Larder itself puts into the list is in it at once, and with it what others did before.
        $writer->exec('UPDATE news SET category = 7 WHERE id = 5');
        self::assertSame([4, 5, 6], array_column($news->findAll('category', 7), 'id'));
        $this->plain->exec('UPDATE news SET category = 5 WHERE id = 6');
        $this->follow();
        self::assertSame([4, 5], array_column($news->findAll('category', 7), 'id'));
    }

    public function testAScrubberFindsTheRowsThatNobodyHasEnded(): void
    {
        $this->plain->exec("INSERT INTO news VALUES (30, 'thirty', 5, 'Thirty')");
        $this->follow();
        $this->news()->findMany([4, 5, 9, 30]);
        /** @var ArrayObject<int, float> $waited */
        $waited = new ArrayObject([]);
        $wait = static function (float $seconds) use ($waited): void {
            $waited[] = $seconds;
        };
        $scrubber = new Scrubber($this->ledger(), $this->store, 3.0, $wait);
        self::assertSame(['sampled' => 27, 'kept' => 4, 'old' => []], $scrubber->look('news', 100));
        self::assertCount(0, $waited);
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->plain->exec("INSERT INTO news VALUES (9, 'nine', 5, 'Nine')");
        self::assertSame(['sampled' => 27, 'kept' => 4, 'old' => [4, 9]], $scrubber->look('news', 100));
        self::assertSame([3.5], $waited->getArrayCopy());
        // What the follower ends in the meantime was only waiting for it.
        $patient = new Scrubber($this->ledger(), $this->store, 3.0, fn(float $seconds) => $this->follow());
        self::assertSame([], $patient->look('news', 100)['old']);
        self::assertSame(['sampled' => 27, 'kept' => 2, 'old' => []], $scrubber->look('news', 100));
    }

    public function testTheProgramScrubs(): void
    {
        $this->follow();
        self::$told = new Followed($this->ledger(...), $this->state, [$this->store], settings: new Settings(0.2, 0.02));
        $file = $this->state . '/scrub.php';
        file_put_contents($file, '<?php return ' . self::class . '::$told;');
        $program = new CommandTester(new FollowCommand());
        $given = ['file' => $file, '--scrub' => true, '--format' => 'json'];
        self::assertSame(0, $program->execute($given));
        self::assertSame(['old' => 0, 'tables' => []], json_decode($program->getDisplay(), true));
        $this->news()->findMany([4, 5]);
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        self::assertSame(1, $program->execute($given));
        $found = ['store' => 0, 'table' => 'news', 'sampled' => 3, 'kept' => 2, 'old' => [4]];
        self::assertSame(['old' => 1, 'tables' => [$found]], json_decode($program->getDisplay(), true));
        self::assertSame(1, $program->execute(['--format' => 'txt'] + $given));
        self::assertSame("news: 2 of 3 keys are kept, 1 of them old: 4\n", $program->getDisplay());
        self::assertSame(2, $program->execute(['--rows' => 'all'] + $given));
    }

    public function testAnEditByTheConsoleRaisesTheVersionsOfTheLedger(): void
    {
        $this->follow();
        $stamp = fn(string $name): int => $this->stamp($name);
        $before = array_map($stamp, ['news:4', 'news:5', 'news']);
        $this->console("UPDATE news SET title = 'it''s' WHERE id = 4");
        $this->follow();
        [$four, $five, $table] = array_map($stamp, ['news:4', 'news:5', 'news']);
        self::assertNotSame($before[0], $four);
        self::assertSame($before[1], $five);
        self::assertNotSame($before[2], $table);
    }

    public function testAnEdgeHearsOfWhatAnyProgramChanges(): void
    {
        $heard = [];
        $this->announced = static function (AnnouncedChange $change) use (&$heard): null {
            $heard = [...$heard, ...array_map(strval(...), $change->names)];

            return null;
        };
        $this->follow();
        $heard = [];
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->follow();
        self::assertContains('news:4', $heard);
        self::assertNotContains('news:5', $heard);
    }

    public function testWhatALarderConnectionHasMadeKnownIsNotRaisedAgain(): void
    {
        $this->follow();
        $writer = $this->open();
        SqlLedger::forValues($writer);
        $writer->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $after = $this->stamp('news:4');
        $this->follow();
        self::assertSame($after, $this->stamp('news:4'));
    }

    public function testARowEndsWhoseWriterKnowsTheLedgerAndNotTheStore(): void
    {
        $this->follow();
        self::assertSame('Four', $this->news()->find(4)['title'] ?? null);
        $writer = $this->open();
        SqlLedger::forValues($writer);
        $writer->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->follow();
        self::assertSame('New', $this->news()->find(4)['title'] ?? null);
    }

    /** @return list<array{string}> */
    public static function steps(): array
    {
        return [['await'], ['end'], ['raise'], ['gates'], ['acknowledge'], ['beat']];
    }

    #[DataProvider('steps')]
    public function testAFollowerThatDiesAtAnyStepLosesNothing(string $step): void
    {
        $this->follow();
        $this->news()->find(4);
        $before = $this->stamp('news:4');
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $hasDied = false;
        try {
            $this->followBy(static function (string $next) use ($step, &$hasDied): void {
                if ($next === $step) {
                    $hasDied = true;
                    throw new LogicException('dead');
                }
            });
        } catch (LogicException) {
            self::assertTrue($hasDied);
        }
        $this->plain->exec("UPDATE news SET title = 'Newer' WHERE id = 5");
        $this->follow();
        self::assertSame('New', $this->news()->find(4)['title'] ?? null);
        self::assertSame('Newer', $this->news()->find(5)['title'] ?? null);
        self::assertNotSame($before, $this->stamp('news:4'));
        self::assertSame(1, $this->everything());
    }

    public function testALostPositionEndsEverythingOnce(): void
    {
        $this->follow();
        $this->news()->find(4);
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->lose();
        $this->follow();
        self::assertSame('New', $this->news()->find(4)['title'] ?? null);
        self::assertSame(2, $this->everything());
        $this->follow();
        self::assertSame(2, $this->everything());
    }

    public function testAStatementOfManyRowsEndsItsTableAlone(): void
    {
        $this->follow();
        $this->news()->find(4);
        $other = $this->stamp('other:1');
        $bulk = $this->stamp('news!');
        $this->plain->exec('INSERT INTO news (id, category) WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1'
            . ' FROM n WHERE i < 900) SELECT i, 5 FROM n');
        $this->plain->exec("UPDATE news SET title = 'All'");
        $this->follow();
        self::assertSame('All', $this->news()->find(4)['title'] ?? null);
        self::assertNotSame($bulk, $this->stamp('news!'));
        self::assertSame(1, $this->everything());
        self::assertSame($other, $this->stamp('other:1'));
    }

    /** However many of them come at once: what one transaction of the ledger cannot name ends everything. */
    public function testManyTransactionsThatWaitEndTheirRowsAlone(): void
    {
        $this->plain->exec('INSERT INTO news (id, category) WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1'
            . ' FROM n WHERE i < 1095) SELECT i, 5 FROM n');
        $this->follow();
        $before = $this->stamp('#everything');
        for ($id = 100; $id < 1096; $id += 249) {
            $this->plain->exec("UPDATE news SET title = 'x' WHERE id BETWEEN $id AND $id + 248");
        }
        $this->follow();
        self::assertSame($before, $this->stamp('#everything'));
    }

    public function testChildrenEndWithTheirParents(): void
    {
        $this->follow();
        $table = $this->rows()->table('child');
        self::assertSame(['id' => 1, 'parent' => 1], $table->find(1));
        $this->plain->exec('DELETE FROM parent WHERE id = 1');
        $this->follow();
        self::assertNull($this->rows()->table('child')->find(1));
    }

    public function testAChangedSchemaEndsEverything(): void
    {
        $this->follow();
        $this->news()->find(4);
        $this->plain->exec("ALTER TABLE news ADD COLUMN more VARCHAR(20) DEFAULT 'x'");
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->follow();
        self::assertSame('x', $this->news()->find(4)['more'] ?? null);
        self::assertGreaterThan(1, $this->everything());
        $this->plain->exec('TRUNCATE TABLE news');
        $this->follow();
        self::assertNull($this->news()->find(4));
    }

    /** The event comes before the change can be seen: what is raised too early would pair the old row with it. */
    public function testNothingIsRaisedBeforeTheChangeCanBeSeen(): void
    {
        $this->follow();
        $seen = [];
        $writer = self::$database->connect();
        for ($i = 1; $i <= 20; ++$i) {
            $writer->exec("UPDATE news SET title = 'New $i' WHERE id = 4");
            $this->followBy(function (string $step, Follower $follower) use (&$seen, $i): void {
                if ($step === 'end') {
                    $title = $this->plain->query('SELECT title FROM news WHERE id = 4');
                    self::assertNotFalse($title);
                    $seen[$i] = $title->fetchColumn();
                } elseif ($step === 'beat') {
                    $follower->stop();
                }
            });
            self::assertSame("New $i", $seen[$i] ?? null);
        }
    }

    public function testRowsAreHandedOutOnlyWhileAFollowerIsThere(): void
    {
        $this->follow();
        $rows = new Rows($this->ledger(), $this->store, followed: true);
        self::assertSame('Four', $rows->table('news')->find(4)['title'] ?? null);
        self::assertNotNull($this->store->get('news:4'));
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->store->delete('!');
        self::assertSame('New', self::title($rows->table('news'), 4));
        self::assertSame([4, 5], array_column($rows->table('news')->findAll('category', 5), 'id'));
        self::assertSame('New', $rows->table('news')->findMany([4, 5])[4]['title'] ?? null);
    }

    public function testTheProgramFollowsUntilItIsToldAndGoesOnWhereItWasKilled(): void
    {
        $file = $this->file(3600.0);
        $first = self::program($file);
        $this->awaitNotes($first);
        $this->assertFollows("UPDATE news SET title = 'A' WHERE id = 4", $first);
        $this->awaitStatus($file, [0, true]);
        $second = self::program($file)->setTimeout(60);
        self::assertSame(2, $second->wait());
        self::assertStringContainsString('Another follower runs in', $second->getErrorOutput());
        $first->stop(0);
        self::assertSame([1, false], self::asked($file));
        $before = $this->stamp('news:5');
        $this->plain->exec("UPDATE news SET title = 'B' WHERE id = 5");
        $third = self::program($file);
        $this->assertFollows("UPDATE news SET title = 'C' WHERE id = 4", $third);
        self::assertNotSame($before, $this->stamp('news:5'), 'it was changed while no follower ran');
        $third->signal(SIGTERM);
        self::awaitThat(static fn(): bool => !$third->isRunning(), 'it does not end', $third);
        // It is said once a minute, and a minute may have passed since the first one said it.
        $said = $third->getOutput() . $third->getErrorOutput();
        self::assertSame('', preg_replace('/^.*: the log has no whole rows of .*\n/m', '', $said));
        self::assertSame(0, $third->getExitCode());
    }

    public function testOneThatIsStoppedIsNotWellUntilItGoesOn(): void
    {
        $file = $this->file(5.0);
        $follower = self::program($file);
        $this->awaitNotes($follower);
        $this->awaitStatus($file, [0, true]);
        $follower->signal(SIGSTOP);
        $this->awaitStatus($file, [1, true]);
        $follower->signal(SIGCONT);
        $this->awaitStatus($file, [0, true]);
        $follower->stop(0);
    }

    /** @return string the path of a file that says what is followed */
    private function file(float $maxLag): string
    {
        $file = $this->state . '/follow.php';
        file_put_contents($file, '<?php return new Larder\Follow\Followed(static fn() => '
            . 'Larder\Sql\Ledger\SqlLedger::forValues(new Larder\Sql\Tracker\RecordingPdo('
            . self::literal(self::$database->dsn) . ', user: ' . self::literal(self::$database->user) . ', password: '
            . self::literal(self::$database->password) . ')), ' . self::literal($this->state)
            . ", settings: new Larder\\Follow\\Settings($maxLag, 0.02), name: 'test', log: "
            . self::literal(self::$database->access($this->state)) . ');');

        return $file;
    }

    /** Until a follower has noted its first place in the log. */
    private function awaitNotes(Process $follower): void
    {
        self::awaitThat(fn(): bool => is_file($this->state . '/position.json'), 'the log is not read', $follower);
    }

    /** @param Closure(): bool $isSo */
    private static function awaitThat(Closure $isSo, string $else, Process $follower): void
    {
        for ($end = microtime(true) + 60.0; !$isSo(); usleep(10_000)) {
            $said = "$else: " . $follower->getOutput() . $follower->getErrorOutput();
            self::assertTrue($follower->isRunning(), $said);
            self::assertLessThan($end, microtime(true), $said);
        }
    }

    /** @param array{int, mixed} $expected as asked() says it */
    private function awaitStatus(string $file, array $expected): void
    {
        $end = microtime(true) + 60.0;
        do {
            $asked = self::asked($file);
        } while ($asked !== $expected && microtime(true) < $end);
        self::assertSame($expected, $asked);
    }

    /** @param string|list<string>|null $value */
    private static function literal(string|array|null $value): string
    {
        return var_export($value, true);
    }

    /** Of news:4, by another program. */
    private function assertFollows(string $change, Process $follower): void
    {
        $before = $this->stamp('news:4');
        $this->plain->exec($change);
        self::awaitThat(fn(): bool => $this->stamp('news:4') !== $before, 'the change is not followed', $follower);
    }

    /** It ends with this object: one that is left waits for its log as long as it runs. */
    private static function program(string ...$words): Process
    {
        $process = new Process([PHP_BINARY, \dirname(__DIR__, 2) . '/bin/larder', 'follow', ...$words], timeout: null);
        $process->start();

        return $process;
    }

    /** @return array{int, mixed} the exit code of --status, and whether one runs */
    private static function asked(string $file): array
    {
        $program = self::program($file, '--status', '--format=json')->setTimeout(60);
        $code = $program->wait();
        $status = json_decode($program->getOutput(), true);

        return [$code, \is_array($status) ? $status['running'] ?? null : $status];
    }

    private function console(string $sql): void
    {
        $isMariaDb = static::kind() === DatabaseKind::MariaDb;
        $command = $isMariaDb
            ? ['mariadb', ...self::$database->access($this->state), self::$database->part('dbname')]
            : [
                'psql', '-qX', '-h', self::$database->part('host'), '-p', self::$database->part('port'),
                '-U', (string) self::$database->user, self::$database->part('dbname'),
            ];
        $process = proc_open($command, [['pipe', 'r']], $pipes);
        self::assertNotFalse($process);
        fwrite($pipes[0], $sql . ';');
        fclose($pipes[0]);
        self::assertSame(0, proc_close($process));
    }
}
