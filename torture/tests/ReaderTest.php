<?php

declare(strict_types=1);

namespace Larder\Torture\Tests;

use Larder\Testbed\Tests\Http\ScriptedServer;
use Larder\Testbed\Http\Connection;
use Larder\Torture\Pages\HotItems;
use Larder\Torture\Pages\ItemState;
use Larder\Torture\Pages\Reader;
use Larder\Torture\Pages\ReaderTally;
use Larder\Torture\Pages\TortureResult;
use Closure;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** The reader against a server whose pages are right, and against such whose pages are wrong in one way each. */
#[CoversClass(Reader::class)]
#[CoversClass(ReaderTally::class)]
#[CoversClass(TortureResult::class)]
final class ReaderTest extends TestCase
{
    private const READS = 60;

    private PDO $database;
    private HotItems $items;

    protected function setUp(): void
    {
        $this->database = new PDO('sqlite::memory:', null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
        $this->database->exec((string) file_get_contents(\dirname(__DIR__, 2) . '/app/sql/schema.sql'));
        HotItems::install($this->database);
        $this->items = HotItems::of($this->database);
    }

    public function testFindsNothingOnRightPages(): void
    {
        $tally = $this->read($this->site(...));

        self::assertSame([self::READS, 0, 0, 0, []], [$tally->reads, $tally->stale, $tally->wrong, $tally->unanswered, $tally->told]);
        self::assertSame(self::READS, $tally->hits);
        self::assertGreaterThan(0, $tally->compressed);
        self::assertGreaterThan(0, $tally->notModified);
        self::assertTrue((new TortureResult($tally, 0, 0, []))->isClean());
    }

    public function testFindsPagesThatDidNotFollowAChange(): void
    {
        $old = $this->items->states();
        $this->database->exec("UPDATE news SET title = '[' || id || ':2]'");
        $tally = $this->read(fn(string $request): string => $this->site($request, $old));

        self::assertSame([self::READS, self::READS], [$tally->reads, $tally->stale]);
        self::assertCount(5, $tally->told, 'the first few');
        self::assertMatchesRegularExpression('~^/\S* (?:/\S* )?shows version 1 of item \d+, but 2 was committed \((?:200|304) larder; hit\)$~', $tally->told[0]);
        self::assertFalse((new TortureResult($tally, 0, 0, []))->isClean());
    }

    /** The client's own copy is as stale as the page that a validator vouches for. */
    public function testFindsAValidatorThatOutlivesAChange(): void
    {
        $states = $this->items->states();
        $server = new ScriptedServer(fn(string $request): string => $this->site($request, $states));
        $reader = new Reader(new Connection($server->address), $this->items);
        for ($i = 0; $i < 150; ++$i) {
            $reader->read();
        }
        $before = clone $reader->tally();
        $this->database->exec("UPDATE news SET title = '[' || id || ':2]'");
        for ($i = 0; $i < 40; ++$i) {
            $reader->read();
        }
        $server->stop();
        $after = $reader->tally();

        self::assertSame(0, $before->stale);
        self::assertSame(40, $after->stale);
        self::assertGreaterThan($before->notModified, $after->notModified);
    }

    public function testFindsPagesThatShowNothing(): void
    {
        $tally = $this->read(static fn(): string => self::answer(200, '<p>Welcome'));
        self::assertSame([self::READS, self::READS], [$tally->reads, $tally->stale]);
    }

    public function testWhatIsNoPageIsWrong(): void
    {
        foreach ([self::answer(404, 'none'), self::answer(200, 'no gzip', ['Content-Encoding: gzip']), self::answer(304, '')] as $answer) {
            $tally = $this->read(static fn(): string => $answer);
            self::assertSame([0, self::READS, 0], [$tally->reads, $tally->wrong, $tally->stale]);
            self::assertFalse((new TortureResult($tally, 0, 0, []))->isClean());
        }
    }

    public function testWhatAKilledWorkerLeavesIsNoRead(): void
    {
        $tally = $this->read(static fn(): string => self::answer(502, 'gone'));
        self::assertSame([0, self::READS, 0], [$tally->reads, $tally->unanswered, $tally->wrong]);

        $tally = $this->read(static fn(): string => substr(self::answer(200, 'cut'), 0, -1) . ScriptedServer::CUT);
        self::assertSame([0, self::READS], [$tally->reads, $tally->unanswered]);
    }

    public function testTalliesAddUp(): void
    {
        [$one, $other] = [new ReaderTally(), new ReaderTally()];
        [$one->reads, $other->reads, $other->unanswered] = [3, 4, 1];
        for ($i = 0; $i < 4; ++$i) {
            $one->stale('one ' . $i);
            $other->wrong('other ' . $i);
        }
        $one->add($other);

        self::assertSame([7, 4, 4, 1], [$one->reads, $one->stale, $one->wrong, $one->unanswered]);
        self::assertSame(['one 0', 'one 1', 'one 2', 'one 3', 'other 0'], $one->told);
        $result = new TortureResult($one, 10, 10, ['larder_page_stores_total' => 10]);
        self::assertSame('stale: 4 of 7 reads, 10 changes, 10 kills', $result->line());
        self::assertFalse($result->shows(1.0), 'too few reads to show anything');
        $one->reads = 10;
        self::assertTrue($result->shows(1.0));
        self::assertFalse($result->shows(2.0));
    }

    /** @param Closure(string): string $site */
    private function read(Closure $site): ReaderTally
    {
        $server = new ScriptedServer($site);
        $reader = new Reader(new Connection($server->address), $this->items);
        for ($i = 0; $i < self::READS; ++$i) {
            $reader->read();
        }
        $server->stop();

        return $reader->tally();
    }

    /**
     * The pages that the site would show.
     *
     * @param array<int, ItemState>|null $states those of setUp() if null
     */
    private function site(string $request, ?array $states = null): string
    {
        if (str_contains($request, 'If-None-Match')) {
            return self::answer(304, '', ['ETag: "same"', 'Cache-Status: larder; hit']);
        }
        preg_match('~^GET (\S+)~', $request, $matches);
        $uri = $matches[1] ?? '';
        $text = '';
        foreach ($states ?? array_fill_keys($this->items->ids, new ItemState(1, '', 0)) as $id => $state) {
            $category = $state->category === '' ? HotItems::CATEGORIES[($id - 1) % 3] : $state->category;
            if (\in_array($uri, ['/', '/feed', '/news/' . $id, '/category/' . $category, '/feed/' . $category], true)) {
                $text .= \sprintf("[%d:%d]\n", $id, $state->version);
            }
        }
        $gzip = str_contains($request, 'Accept-Encoding: gzip');

        return self::answer(200, $gzip ? (string) gzencode($text) : $text, ['ETag: "same"', 'Cache-Status: larder; hit', ...($gzip ? ['Content-Encoding: gzip'] : [])]);
    }

    /** @param list<string> $headers */
    private static function answer(int $status, string $body, array $headers = []): string
    {
        return "HTTP/1.1 $status Told\r\n" . implode('', array_map(static fn(string $header): string => $header . "\r\n", $headers)) . 'Content-Length: ' . \strlen($body) . "\r\n\r\n" . $body;
    }
}
