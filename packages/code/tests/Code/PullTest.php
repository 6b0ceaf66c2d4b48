<?php

declare(strict_types=1);

namespace Larder\Tests\Code;

use Larder\Code\Exception\CodeRefused;
use Larder\Code\Exception\InvalidCode;
use Larder\Code\Head;
use Larder\Code\Layout;
use Larder\Code\LocalDirectory;
use Larder\Code\LocalState;
use Larder\Code\Manifest;
use Larder\Code\PackedFiles;
use Larder\Code\Packing;
use Larder\Code\Paths;
use Larder\Code\Publisher;
use Larder\Code\Puller;
use Larder\Code\ReleaseFile;
use Larder\Code\ReleaseList;
use Larder\Code\Releases;
use Larder\Code\Secrets;
use Larder\Code\SourceTree;
use Larder\Tests\Discovery\SteppedClock;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

#[CoversClass(Head::class)]
#[CoversClass(Layout::class)]
#[CoversClass(LocalDirectory::class)]
#[CoversClass(LocalState::class)]
#[CoversClass(Manifest::class)]
#[CoversClass(PackedFiles::class)]
#[CoversClass(Packing::class)]
#[CoversClass(Paths::class)]
#[CoversClass(Publisher::class)]
#[CoversClass(Puller::class)]
#[CoversClass(ReleaseFile::class)]
#[CoversClass(ReleaseList::class)]
#[CoversClass(Releases::class)]
#[CoversClass(Secrets::class)]
#[CoversClass(SourceTree::class)]
final class PullTest extends TestCase
{
    private ArrayPool $pool;
    private Shop $shop;

    protected function setUp(): void
    {
        $this->pool = new ArrayPool();
        $this->shop = new Shop($this->pool);
    }

    protected function tearDown(): void
    {
        $this->shop->remove();
    }

    public function testFilesComeAsTheyWere(): void
    {
        $large = random_bytes(2_500_000);
        $files = ['a.php' => '<?php return 1;', 'empty' => '', 'src/b/c.php' => "\xef\xbb\xbf<?php"];
        $files['z/large'] = $large;
        $this->shop->write($files + ['7/7' => 'names like numbers', '.hidden' => '', '.git/config' => 'stays out']);
        chmod($this->shop->source . '/a.php', 0o755);
        chmod($this->shop->source . '/src/b/c.php', 0o666);
        symlink('../a.php', $this->shop->source . '/src/link.php');
        $this->shop->push('r1');
        $pulled = $this->shop->puller()->pull();

        self::assertTrue($pulled->isNew);
        self::assertSame(3, $pulled->trips, 'the record, the list, the packs');
        $root = $this->shop->releases()->path('r1');
        foreach ($files as $path => $bytes) {
            self::assertStringEqualsFile("$root/$path", $bytes);
        }
        self::assertStringEqualsFile("$root/7/7", 'names like numbers');
        self::assertFileExists("$root/.hidden");
        self::assertFileDoesNotExist("$root/.git");
        self::assertSame('../a.php', readlink("$root/src/link.php"));
        self::assertSame([0o755, 0o644], [fileperms("$root/a.php") & 0o777, fileperms("$root/src/b/c.php") & 0o777]);
        // OPcache takes no file that is younger than some seconds.
        self::assertLessThan(time() - 30, filemtime("$root/a.php"));
        foreach ($this->pool->items as $bytes) {
            self::assertLessThan(1_000_000, \strlen($bytes));
        }
        self::assertNull($this->shop->releases()->current(), 'nothing is served by a pull');
    }

    public function testOnlyWhatChangedIsSentAndFetched(): void
    {
        for ($file = 0; $file < 1_500; ++$file) {
            $this->shop->write([\sprintf('src/%04d.php', $file) => bin2hex(random_bytes(2_000))]);
        }
        $first = $this->shop->publisher()->push($this->shop->source, 'r1');
        self::assertGreaterThan(9, $first->packs);
        $this->shop->puller()->pull();
        $this->shop->write(['src/0100a.php' => 'new']);
        $second = $this->shop->publisher()->push($this->shop->source, 'r2');

        self::assertLessThan($first->packs / 2, $second->stored, 'some packs, and the list');
        self::assertSame($second->stored - 1, $this->shop->puller()->pull()->packs);
        $again = $this->shop->puller()->pull();
        self::assertFalse($again->isNew);
        self::assertSame(1, $again->trips);
    }

    public function testThePoolForgetsWhatTheLastTwoReleasesDoNotNeed(): void
    {
        $counts = [];
        for ($release = 0; $release < 6; ++$release) {
            $this->shop->write(['a' => random_bytes(2_000_000)])->push("r$release");
            $counts[] = \count($this->pool->items);
        }

        self::assertSame($counts[3], $counts[5], implode(' ', $counts));
        self::assertSame('r5', $this->shop->puller()->pull()->release);
    }

    public function testSwitchesAndGoesBack(): void
    {
        $releases = $this->shop->releases();
        foreach (['r1', 'r2', 'r3'] as $id) {
            $this->shop->write(['a' => $id])->push($id);
            $this->shop->puller()->pull();
            $releases->switchTo($id);
        }
        self::assertSame('r3', file_get_contents($releases->directory . '/current/a'));
        self::assertSame('r2', $releases->rollBack());
        self::assertSame(['r3'], $releases->state()->withdrawn);
        self::assertSame('r1', $releases->rollBack());
        self::assertSame('r1', file_get_contents($releases->directory . '/current/a'));
        $releases->switchTo('r3');
        self::assertSame(['r2'], $releases->state()->withdrawn);
        self::assertSame('r1', $releases->rollBack());
        try {
            $releases->rollBack();
            self::fail('there is none before');
        } catch (InvalidCode $refusal) {
            self::assertStringContainsString('No earlier release', $refusal->getMessage());
        }
        self::assertSame('r1', $releases->current());
    }

    public function testPruningKeepsWhatIsServedAndTheOneBefore(): void
    {
        $releases = $this->shop->releases();
        foreach (['r1', 'r2', 'r3', 'r4', 'r5'] as $id) {
            $this->shop->write(['a' => random_bytes(1000)])->push($id);
            $this->shop->puller()->pull();
            if ($id < 'r3') {
                $releases->switchTo($id);
            }
        }
        mkdir($releases->directory . '/releases/.part-left');

        self::assertSame(['r3'], $releases->prune(2, 0));
        self::assertSame(['r5', 'r4', 'r2', 'r1'], $releases->all());
        self::assertCount(4, LocalDirectory::names($releases->directory . '/packs'));
        self::assertDirectoryDoesNotExist($releases->directory . '/releases/.part-left');
        self::assertSame('r2', $releases->current());
    }

    /** Five releases in a second: requests that began on the first may still run. */
    public function testPruningKeepsWhatWasLeftAMomentAgo(): void
    {
        $releases = $this->shop->releases();
        foreach (['r1', 'r2', 'r3', 'r4', 'r5'] as $id) {
            $this->shop->write(['a' => random_bytes(1000)])->push($id);
            $this->shop->puller()->pull();
            touch($releases->path($id), time() - 3600);
            $releases->switchTo($id);
        }
        $releases->switchTo('r2');
        $releases->rollBack();

        self::assertSame([], $releases->prune(2));
        touch($releases->path('r1'), time() - 61);
        touch($releases->path('r3'), time() - 50);
        self::assertSame(['r1'], $releases->prune(2));
        self::assertSame(['r3'], $releases->prune(2, 40));
        self::assertSame(['r5', 'r4', 'r2'], $releases->all());
    }

    public function testAReleaseWhoseListWasLostIsPrunedLikeOthers(): void
    {
        $releases = $this->shop->releases();
        foreach (['r1', 'r2', 'r3', 'r4'] as $id) {
            $this->shop->write(['a' => random_bytes(1000)])->push($id);
            $this->shop->puller()->pull();
            $releases->switchTo($id);
        }
        unlink($releases->directory . '/manifests/r4.list');

        self::assertSame(['r2', 'r1'], $releases->prune(2, 0));
        self::assertCount(1, LocalDirectory::names($releases->directory . '/packs'), 'that of r3');
        $this->expectExceptionMessage('manifests/r4.list: serve another release, remove this one, and pull it');
        $releases->manifest('r4');
    }

    public function testARollbackThatWasKilledInItsMiddleCanBeDoneAgain(): void
    {
        $releases = $this->shop->releases();
        foreach (['r1', 'r2', 'r3'] as $id) {
            $this->shop->write(['a' => $id])->push($id);
            $this->shop->puller()->pull();
            $releases->switchTo($id);
        }
        // It was remembered, and the link was not moved.
        $releases->remember($releases->state()->withdrawing('r3', 'r2'));
        self::assertSame('r2', $releases->rollBack());
        $releases->remember($releases->state()->leaving('r2', 'r3'));
        $releases->switchTo('r3');
        self::assertSame('r2', $releases->rollBack());
        self::assertSame('r1', $releases->rollBack());
    }

    /** @param int $trip of a pull: the record, the list, the packs */
    #[TestWith([1, false, 'There is no release of "shop" in the pool'])]
    #[TestWith([2, false, 'The list of the files of release r2 is not in the pool any more'])]
    #[TestWith([3, false, 'with a.php is not in the pool any more'])]
    #[TestWith([3, true, 'with b is not in the pool any more'])]
    public function testAPoolThatIsEmptiedDuringAPullDoesNoHarm(int $trip, bool $half, string $refused): void
    {
        $this->shop->write(['a.php' => '1', 'b' => random_bytes(2_000_000)])->push('r1');
        $this->shop->puller()->pull();
        $releases = $this->shop->releases();
        $releases->switchTo('r1');
        $this->shop->write(['a.php' => '2', 'b' => random_bytes(2_000_000)])->push('r2');
        $all = $this->pool->items;
        $last = array_map(
            static fn(string $hash): string => 'larder.code.shop.' . $hash,
            \array_slice($this->shop->puller()->wanted(), -1),
        );
        $begin = $this->pool->trips();
        $this->pool->before = function (int $now) use ($begin, $trip, $half, $last): void {
            if ($now === $begin + $trip) {
                $this->pool->items = $half ? array_diff_key($this->pool->items, array_flip($last)) : [];
            }
        };
        $this->refuses($refused);
        self::assertSame('r1', $releases->current());
        self::assertStringEqualsFile($releases->directory . '/current/a.php', '1');
        // It goes on when the pool is filled again, with what was fetched.
        $this->pool->before = null;
        $this->pool->items = $all;
        self::assertSame($half ? 1 : 4, $this->shop->puller()->pull()->packs);
        self::assertStringEqualsFile($releases->path('r2') . '/a.php', '2');
    }

    public function testAPackThatWasChangedIsRefusedByTheNamesOfItsFiles(): void
    {
        $this->shop->write(['src/a.php' => 'a', 'src/b.php' => 'b'])->push();
        foreach ($this->packs() as $key) {
            $this->pool->items[$key] = 'something else';
        }

        $this->refuses('src/a.php to src/b.php is not the one that was signed');
    }

    public function testAPackThatIsGoneIsRefusedByTheNamesOfItsFiles(): void
    {
        $this->shop->write(['src/a.php' => 'a'])->push();
        foreach ($this->packs() as $key) {
            unset($this->pool->items[$key]);
        }

        $this->refuses('src/a.php is not in the pool any more');
    }

    public function testAnotherKeyIsRefused(): void
    {
        $other = new Shop($this->pool);
        $other->write(['a' => 'evil'])->push();
        $other->remove();

        $this->refuses('was not signed by the key');
        $this->expectException(CodeRefused::class);
        $this->shop->write(['a' => 'good'])->push();
    }

    public function testAnEarlierReleaseThatWasPutThereAgainIsRefused(): void
    {
        $this->shop->write(['a' => '1'])->push('r1');
        $old = $this->pool->items;
        $this->shop->write(['a' => '2'])->push('r2');
        $this->shop->puller()->pull();
        $this->shop->releases()->switchTo('r2');
        $this->pool->items = $old;

        $this->refuses('was made before r2');
        self::assertSame('r2', $this->shop->releases()->current());
    }

    /** It knows the number of no release. */
    public function testAFreshHostTakesNoOldReleaseThatWasPutThereAgain(): void
    {
        $this->shop->write(['a' => '1'])->push('r1');
        $old = $this->pool->items;
        $number = $this->shop->publisher()->push($this->shop->write(['a' => '2'])->source, 'r2')->number;
        $new = $this->pool->items;
        $fresh = fn(string $host): Puller => new Puller(
            $this->pool,
            $this->shop->key->public(),
            Shop::NAME,
            $this->shop->releases($host),
            $number,
        );
        $this->pool->items = $old;
        try {
            $fresh('fresh')->pull();
            self::fail('It is below the number that the host was told.');
        } catch (CodeRefused $refused) {
            self::assertStringContainsString("this host takes none below $number", $refused->getMessage());
        }
        $this->pool->items = $new;
        self::assertSame('r2', $fresh('fresh')->pull()->release);
    }

    public function testAReleaseEndsUnlessItIsSignedAnew(): void
    {
        $clock = new SteppedClock();
        $publisher = new Publisher($this->pool, $this->shop->key, Shop::NAME, $clock);
        $pull = fn(string $host): string => (new Puller(
            $this->pool,
            $this->shop->key->public(),
            Shop::NAME,
            $this->shop->releases($host),
            clock: $clock,
        ))->pull()->release;
        $source = $this->shop->write(['a' => '1'])->source;
        $publisher->push($source, 'r1', seconds: 3600);
        $head = $this->pool->items['larder.code.shop.head'];
        $clock->seconds += 3600;
        self::assertSame('r1', $pull('one'));
        $clock->seconds += 1;
        foreach (['one', 'fresh'] as $host) {
            try {
                $pull($host);
                self::fail("It has ended, for the host $host too.");
            } catch (CodeRefused $refused) {
                self::assertStringContainsString('ended 1970-01-12', $refused->getMessage());
            }
        }
        self::assertSame('r1', $publisher->renew(60));
        self::assertNotSame($head, $this->pool->items['larder.code.shop.head']);
        self::assertSame('r1', $pull('fresh'));
        self::assertFalse($this->shop->releases('one')->head('r1')?->until === null);
        self::assertSame('r1', $pull('one'), 'It is the one that lies there.');
        $clock->seconds += 61;
        $this->shop->write(['a' => '2']);
        $publisher->push($source, 'r2', seconds: null);
        $clock->seconds += 1e8;
        self::assertSame('r2', $pull('one'), 'It has no end.');
    }

    public function testPasswordsKeysAndDumpsAreNotPushedUnlessTheyAreNamed(): void
    {
        $secrets = [
            '.env' => 'A=1', 'config/.env.local' => 'A=1', 'prod.env' => 'A=1', 'auth.json' => '{}',
            '.htpasswd' => 'a:b', 'deploy/id_rsa' => 'x', 'server.key' => "-----BEGIN RSA PRIVATE KEY-----\n",
            'a.p12' => 'x',
            'x.pem' => "text\n-----BEGIN PRIVATE KEY-----\n", 'key' => 'larder-code-secret:AAAA', 'dump.sql.gz' => 'x',
            'old.sql' => "/*M!999999 */\n-- MariaDB dump 10.19\n", 'var/data.db' => "SQLite format 3\0...",
            'var/data.sqlite-wal' => 'x', 'pg.sql' => "--\n-- PostgreSQL database dump\n",
        ];
        $others = [
            '.env.example' => 'A=1', 'vendor/ca.pem' => "-----BEGIN CERTIFICATE-----\n",
            'schema.sql' => 'CREATE TABLE a (b)', 'slides.key' => 'PK',
            'src/Env.php' => '<?php // -----BEGIN PRIVATE KEY-----', 'Thumbs.db' => 'x',
        ];
        $this->shop->write($others)->push('r1');
        foreach ($secrets as $path => $bytes) {
            $this->shop->write([$path => $bytes]);
            try {
                $this->shop->push('r2');
                self::fail("$path was pushed.");
            } catch (InvalidCode $invalid) {
                self::assertStringContainsString("in the clear: $path. Leave", $invalid->getMessage());
            }
            unlink($this->shop->source . '/' . $path);
        }
        $this->shop->write($secrets);
        $publisher = $this->shop->publisher();
        $pushed = $publisher->push($this->shop->source, 'r3', array_keys($secrets));
        self::assertSame(\count($others), $pushed->files);
        $named = $publisher->push($this->shop->source, 'r4', include: array_map(basename(...), array_keys($secrets)));
        self::assertSame(\count($others) + \count($secrets), $named->files);
        $this->expectExceptionMessage(' and 5 more. Leave them out by --exclude');
        $this->shop->push('r5');
    }

    public function testAnotherReleaseByTheSameIdIsRefused(): void
    {
        $this->shop->write(['a' => '1'])->push('r1');
        $this->shop->puller()->pull();
        $this->pool->items = [];
        $this->shop->write(['a' => '2'])->push('r1');

        $this->refuses('is another one than that which lies in');
    }

    public function testTheReleaseOfAnotherApplicationIsRefused(): void
    {
        $this->shop->write(['a' => '1'])->push('r1');
        $this->pool->items['larder.code.other.head'] = $this->pool->items['larder.code.shop.head'];
        $puller = new Puller($this->pool, $this->shop->key->public(), 'other', $this->shop->releases());

        $this->expectExceptionMessage('is one of "shop", not of "other"');
        $puller->pull();
    }

    public function testOfTwoThatPushOneIsTold(): void
    {
        $this->shop->write(['a' => '1']);
        $publisher = $this->shop->publisher();
        $this->expectExceptionMessage('Somebody else pushed');
        $publisher->push($this->shop->source, 'r1', progress: function (string $step): void {
            $this->pool->items['larder.code.shop.head'] ??= 'the other one\'s';
        });
    }

    /** @param array<mixed> $row */
    #[DataProvider('rows')]
    public function testAPathThatLeadsOutIsRefused(array $row, string $reason): void
    {
        $good = ['good', 0o644, 0, str_repeat('0', 64)];
        $this->expectException(CodeRefused::class);
        $this->expectExceptionMessage($reason);
        Manifest::decode((string) json_encode(['files' => [$good, $row], 'packs' => []]));
    }

    /** @return iterable<string, array{array<mixed>, string}> */
    public static function rows(): iterable
    {
        $file = static fn(string $path): array => [$path, 0o644, 0, str_repeat('0', 64)];
        yield 'absolute' => [$file('/etc/passwd'), 'is absolute'];
        yield 'above' => [$file('../a'), '".."'];
        yield 'above in the middle' => [$file('a/../../b'), '".."'];
        yield 'above at the end' => [$file('a/..'), '".."'];
        yield 'itself' => [$file('./a'), '"."'];
        yield 'empty part' => [$file('a//b'), 'empty'];
        yield 'a directory' => [$file('a/'), 'empty'];
        yield 'empty' => [$file(''), 'is empty'];
        yield 'NUL' => [$file("a\0b"), 'control character'];
        yield 'a line' => [$file("a\nb"), 'control character'];
        yield 'backslash' => [$file('a\b'), 'backslash'];
        yield 'long part' => [$file(str_repeat('a', 256)), '255'];
        yield 'twice' => [$file('good'), 'twice'];
        yield 'below a file' => [$file('good/a'), 'below "good"'];
        yield 'link to an absolute path' => [['l', '/etc/passwd'], 'absolute'];
        yield 'link out' => [['l', '../a'], 'leads out'];
        yield 'link far out' => [['a/b/l', '../../../a'], 'leads out'];
        yield 'link by way of another' => [['l', 'a/b/../../..'], '".." in its middle'];
        yield 'link to nothing' => [['l', ''], 'absolute'];
        yield 'set-user-id' => [['s', 0o4755, 0, str_repeat('0', 64)], 'has no mode'];
        yield 'negative size' => [['s', 0o644, -1, str_repeat('0', 64)], 'has no mode'];
        yield 'no hash' => [['s', 0o644, 0, '../x'], 'has no mode'];
        yield 'no path' => [[1, 2, 3, 4], 'no file'];
        yield 'more bytes than the packs' => [['s', 0o644, 5, str_repeat('0', 64)], 'not as many bytes'];
    }

    /** Whatever the list is, it is taken or refused, and what is taken stays inside. */
    public function testDamagedLists(): void
    {
        mt_srand(9);
        $hash = str_repeat('a', 64);
        $good = (string) json_encode([
            'files' => [['a/b.php', 0o644, 3, $hash], ['c', 0o755, 0, $hash], ['l', 'a/b.php']],
            'packs' => [[$hash, 3]],
        ]);
        $parts = ['"', '../', '/', '[', ']', '0', '-1', 'null', '{}', '\\u0000', ',', '1e9', 'a/b.php', 'true'];
        $ends = ['taken' => 0, 'refused' => 0];
        for ($round = 0; $round < 20_000; ++$round) {
            $json = $good;
            for ($change = mt_rand(1, 3); $change > 0; --$change) {
                $at = mt_rand(0, \strlen($json) - 1);
                $json = substr($json, 0, $at) . $parts[array_rand($parts)] . substr($json, $at + mt_rand(0, 4));
            }
            try {
                foreach (Manifest::decode($json)->files as $file) {
                    self::assertNull(Paths::objection($file->path));
                }
                ++$ends['taken'];
            } catch (CodeRefused) {
                ++$ends['refused'];
            }
        }
        self::assertGreaterThan(100, min($ends), json_encode($ends, JSON_THROW_ON_ERROR));
    }

    public function testALinkThatLeadsOutIsNotPushed(): void
    {
        symlink('/etc/passwd', $this->shop->source . '/evil');
        $this->expectException(InvalidCode::class);
        $this->expectExceptionMessage('The link evil cannot be in a release: it leads to an absolute path');
        $this->shop->push();
    }

    public function testADifferenceOfOneByteAnywhereIsRefused(): void
    {
        mt_srand(20);
        $this->shop->write(['a.php' => 'one', 'b.php' => 'two'])->push('r1');
        $good = $this->pool->items;
        foreach ($good as $key => $bytes) {
            for ($try = 0; $try < 60; ++$try) {
                $at = mt_rand(0, \strlen($bytes) - 1);
                $spoilt = $bytes;
                $spoilt[$at] = \chr(\ord($bytes[$at]) ^ (1 << mt_rand(0, 7)));
                $this->pool->items = [$key => $spoilt] + $good;
                try {
                    $this->shop->puller()->pull();
                    self::fail("byte $at of $key");
                } catch (CodeRefused) {
                }
                self::assertFalse($this->shop->releases()->has('r1'));
            }
            LocalDirectory::remove($this->shop->releases()->directory);
        }
    }

    /** @return list<string> their keys */
    private function packs(): array
    {
        $head = Head::open($this->pool->items['larder.code.shop.head'], $this->shop->key->public(), 'shop');
        $others = ['larder.code.shop.head', 'larder.code.shop.superseded'];
        foreach ($head->pieces as $piece) {
            $others[] = 'larder.code.shop.' . $piece;
        }

        return array_values(array_diff(array_keys($this->pool->items), $others));
    }

    private function refuses(string $reason): void
    {
        $before = $this->shop->releases()->all();
        try {
            $this->shop->puller()->pull();
            self::fail('it was not refused');
        } catch (CodeRefused $refusal) {
            self::assertStringContainsString($reason, $refusal->getMessage());
        }
        self::assertSame($before, $this->shop->releases()->all());
    }
}
