<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use Larder\Follow\Follower;
use Larder\Follow\Gathered;
use Larder\Follow\MariaDb\BinaryLog;
use Larder\Follow\MariaDb\MariaDbFacts;
use Larder\Testbed\Server\DatabaseKind;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

#[CoversClass(Follower::class)]
#[CoversClass(Gathered::class)]
#[CoversClass(BinaryLog::class)]
#[CoversClass(MariaDbFacts::class)]
#[RequiresPhpExtension('pdo_mysql')]
final class MariaDbFollowerTest extends FollowerCase
{
    protected static function kind(): DatabaseKind
    {
        return DatabaseKind::MariaDb;
    }

    /** Of a statement of very many rows the program says nothing before it has made all of them ready. */
    public function testALogThatIsSilentForLongIsWaitedForLongerEachTime(): void
    {
        $this->program = $this->state . '/late';
        file_put_contents($this->program, "#!/bin/sh\nsleep 2\nexec mariadb-binlog \"\$@\"\n");
        chmod($this->program, 0o700);
        $this->follow();
        $this->news()->find(4);
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->follow();
        self::assertSame('New', $this->news()->find(4)['title'] ?? null);
        self::assertGreaterThan(0, $this->counters->all()['larder_follow_failures_total'] ?? 0);
    }

    public function testAStatementThatIsNotInRowsEndsEverything(): void
    {
        $this->follow();
        $this->news()->find(4);
        $this->plain->exec('SET SESSION binlog_format = STATEMENT');
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4 /* a\n# at 5\n*/");
        $this->follow();
        self::assertSame('New', $this->news()->find(4)['title'] ?? null);
        self::assertSame(2, $this->everything());
    }

    public function testARowOfWhichTheLogHasOnlyWhatChangedEndsItsTable(): void
    {
        $this->follow();
        $this->news()->find(4);
        $this->news()->findAll('category', 5);
        $this->plain->exec('SET SESSION binlog_row_image = MINIMAL');
        $this->plain->exec('UPDATE news SET category = 8 WHERE id = 4');
        $this->follow();
        self::assertSame(8, $this->news()->find(4)['category'] ?? null);
        self::assertSame([5], array_column($this->news()->findAll('category', 5), 'id'));
        self::assertSame(1, $this->everything());
    }

    public function testGoesOnInTheNextFile(): void
    {
        $this->follow();
        $this->news()->find(4);
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->plain->exec('FLUSH BINARY LOGS');
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 5");
        $this->follow();
        self::assertSame('New', $this->news()->find(4)['title'] ?? null);
        self::assertSame('New', $this->news()->find(5)['title'] ?? null);
        self::assertSame(1, $this->everything());
    }

    public function testALogThatWasPurgedEndsEverything(): void
    {
        $this->follow();
        $this->news()->find(4);
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->plain->exec('RESET MASTER');
        $this->follow();
        self::assertSame('New', $this->news()->find(4)['title'] ?? null);
        self::assertSame(2, $this->everything());
    }

    public function testATransactionInTwoPhasesEndsEverythingAtItsCommit(): void
    {
        $this->follow();
        $this->plain->exec("XA START 'x'");
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->plain->exec("XA END 'x'");
        $this->plain->exec("XA PREPARE 'x'");
        $this->follow();
        $this->store->clear();
        $before = $this->everything();
        $this->plain->exec("XA COMMIT 'x'");
        $this->follow();
        self::assertSame('New', $this->news()->find(4)['title'] ?? null);
        self::assertGreaterThan($before, $this->everything());
    }

    public function testReadsCompressedEvents(): void
    {
        $this->follow();
        $this->news()->find(4);
        $this->plain->exec('SET GLOBAL log_bin_compress = 1, GLOBAL log_bin_compress_min_len = 10');
        $writer = self::$database->connect();
        $writer->exec("UPDATE news SET title = REPEAT('x', 200) WHERE id = 4");
        $this->plain->exec('SET GLOBAL log_bin_compress = 0');
        $this->follow();
        self::assertSame(str_repeat('x', 200), $this->news()->find(4)['title'] ?? null);
        self::assertSame(1, $this->everything());
    }
}
