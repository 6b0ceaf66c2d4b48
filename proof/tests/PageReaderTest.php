<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Closure;
use Larder\Proof\Pages\Crew;
use Larder\Proof\Pages\HotItems;
use Larder\Proof\Pages\ItemState;
use Larder\Proof\Pages\Mark;
use Larder\Proof\Pages\PageCount;
use Larder\Proof\Pages\PageReader;
use Larder\Proof\Pages\PageTally;
use Larder\Proof\Result;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\TemporaryDirectory;
use Larder\Testbed\Tests\Http\ScriptedServer;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** The reader against a server whose pages are right, and against such whose pages are wrong in one way each. */
#[CoversClass(PageReader::class)]
#[CoversClass(PageTally::class)]
#[CoversClass(Crew::class)]
#[CoversClass(Result::class)]
final class PageReaderTest extends TestCase
{
    private const READS = 60;

    private PDO $database;
    private HotItems $items;
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->database = new PDO('sqlite::memory:', null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
        $this->database->exec((string) file_get_contents(\dirname(__DIR__, 2) . '/app/sql/schema.sqlite.sql'));
        HotItems::install($this->database);
        $this->items = HotItems::of($this->database);
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testFindsNothingOnRightPages(): void
    {
        $found = $this->read($this->site(...));
        self::assertSame([self::READS, 0, 0, 0], self::counts($found));
        self::assertSame([], $found->figures['findings']);
        self::assertSame(self::READS, $found->count('hits'));
        self::assertGreaterThan(0, $found->count('compressed'));
        self::assertGreaterThan(0, $found->count('not_modified'));
        self::assertTrue($found->clean);
    }

    public function testFindsPagesThatDidNotFollowAChange(): void
    {
        $old = $this->items->states();
        $this->database->exec("UPDATE news SET title = '[' || id || ':2]'");
        $found = $this->read(fn(string $request): string => $this->site($request, $old));
        self::assertSame([self::READS, self::READS, 0, 0], self::counts($found));
        self::assertIsArray($found->figures['findings']);
        self::assertCount(5, $found->figures['findings'], 'the first few');
        self::assertMatchesRegularExpression(
            '~^/\S* (?:/\S* )?shows version 1 of item \d+, but 2 was committed \((?:200|304) larder; hit\)$~',
            $found->figures['findings'][0],
        );
        self::assertFalse($found->clean);
    }

    /** The client's own copy is as stale as the page that a validator vouches for. */
    public function testFindsAValidatorThatOutlivesAChange(): void
    {
        $states = $this->items->states();
        $board = Board::create([PageCount::class => 1, Mark::class => 1]);
        $server = new ScriptedServer(fn(string $request): string => $this->site($request, $states));
        $reader = $this->reader($server, $board);
        for ($i = 0; $i < 150; ++$i) {
            $reader->read();
        }
        [$stale, $notModified] = [$board->get(PageCount::Stale), $board->get(PageCount::NotModified)];
        $this->database->exec("UPDATE news SET title = '[' || id || ':2]'");
        for ($i = 0; $i < 40; ++$i) {
            $reader->read();
        }
        $server->stop();
        self::assertSame([0, 40], [$stale, $board->get(PageCount::Stale)]);
        self::assertGreaterThan($notModified, $board->get(PageCount::NotModified));
    }

    public function testFindsPagesThatShowNothing(): void
    {
        $found = $this->read(static fn(): string => self::answer(200, '<p>Welcome'));
        self::assertSame([self::READS, self::READS, 0, 0], self::counts($found));
    }

    /** A hit was stored since the deployment; php-fpm may make pages of old code until it is reloaded. */
    public function testACodesAgeIsJudgedByWhereThePageComesFrom(): void
    {
        foreach (['larder; hit' => [3, 0], 'larder; fwd=miss' => [3, 2]] as $status => [$deployed, $reloaded]) {
            $board = Board::create([PageCount::class => 6, Mark::class => 1]);
            $board->set(Mark::Deployed, $deployed);
            $board->set(Mark::Reloaded, $reloaded);
            $found = $this->read(
                fn(string $request): string => $this->site($request, status: $status, more: '[release:2]'),
                $board,
            );
            self::assertSame($status === 'larder; hit', $found->count('stale') > 0, $status);
        }
    }

    /** A host goes on with the code of before until it is reloaded too, while another one has the new code. */
    public function testEachHostIsReloadedByItself(): void
    {
        $board = Board::create([PageCount::class => 6, Mark::class => 2]);
        $board->set(Mark::Reloaded, 3, 1);
        $server = new ScriptedServer(
            fn(string $request): string => $this->site($request, status: 'larder; fwd=miss', more: '[release:2]'),
        );
        foreach ([0, 1] as $host) {
            $reader = $this->reader($server, $board, $host);
            for ($i = 0; $i < self::READS; ++$i) {
                $reader->read();
            }
            self::assertSame($host === 1, $board->get(PageCount::Stale, $host) > 0, "host $host");
        }
        $server->stop();
    }

    public function testWhatIsNoPageIsWrong(): void
    {
        $noGzip = self::answer(200, 'no gzip', ['Content-Encoding: gzip']);
        foreach ([self::answer(404, 'none'), $noGzip, self::answer(304, '')] as $answer) {
            $found = $this->read(static fn(): string => $answer);
            self::assertSame([0, 0, self::READS, 0], self::counts($found));
            self::assertFalse($found->clean);
        }
    }

    public function testWhatAKilledWorkerLeavesIsNoRead(): void
    {
        $found = $this->read(static fn(): string => self::answer(502, 'gone'));
        self::assertSame([0, 0, 0, self::READS], self::counts($found));
        $cut = substr(self::answer(200, 'cut'), 0, -1) . ScriptedServer::CUT;
        $found = $this->read(static fn(): string => $cut);
        self::assertSame([0, 0, 0, self::READS], self::counts($found));
    }

    public function testTheCountsOfAllReadersAddUp(): void
    {
        $crew = new Crew(DatabaseKind::Sqlite);
        $board = Board::create([PageCount::class => $crew->size()]);
        foreach ([
            [PageCount::Reads, 3, 4],
            [PageCount::Stale, 4, 0],
            [PageCount::Wrong, 0, 4],
        ] as [$what, $one, $other]) {
            $board->setRange($what, 0, [$one, $other]);
        }
        $board->setRange(PageCount::Changes, $crew->readers(), [4, 6]);
        $tally = new PageTally($crew, $board, new Findings($this->directory->path . '/wrong'));
        $counters = ['larder_page_requests_total{result="stored"}' => 10];
        $result = $tally->result(1.0, 10, $counters);
        self::assertSame([7, 4, 4, 0], self::counts($result));
        self::assertSame('stale: 4 of 7 reads, 10 changes, 10 kills', $result->line);
        self::assertSame(1, $result->exitCode());
        self::assertFalse($result->rich, 'too few reads to show anything');
        $board->set(PageCount::Reads, 7);
        self::assertTrue($tally->result(1.0, 10, $counters)->rich);
        self::assertFalse($tally->result(2.0, 10, $counters)->rich);
        $events = [
            PageCount::Deploys, PageCount::DeploysKilled, PageCount::Flushes, PageCount::RegistryChanges,
            PageCount::Reloads,
        ];
        foreach ($events as $event) {
            self::assertFalse($tally->result(1.0, 10, $counters, true)->rich, 'one is missing');
            $board->set($event, 1);
        }
        self::assertTrue($tally->result(1.0, 10, $counters, true)->rich);
    }

    /** A writer of each kind on each host, and a reader's hits on each. */
    public function testEachKindOfWriterAndEachHostMustHaveCounted(): void
    {
        $crew = new Crew(DatabaseKind::MariaDb, 2, 2);
        self::assertSame([4, 6, 11], [$crew->readers(), $crew->writers(), $crew->size()]);
        $board = Board::create([PageCount::class => $crew->size()]);
        $board->set(PageCount::Reads, 10);
        $tally = new PageTally($crew, $board, new Findings($this->directory->path . '/wrong'));
        $run = static fn(): Result
            => $tally->result(1.0, 10, ['larder_page_requests_total{result="stored"}' => 10], more: ['more' => 3]);
        $board->setRange(PageCount::Changes, $crew->readers(), [4, 1, 6, 0, 0, 0]);
        $board->setRange(PageCount::Hits, 0, [2, 3, 4, 5]);
        self::assertFalse($run()->rich, 'nothing by mysqli');
        $board->set(PageCount::Changes, 7, $crew->readers() + 5);
        $result = $run();
        $figures = [
            'changes_by_pdo', 'changes_by_dbal', 'changes_by_mysqli', 'hits_on_host_1', 'hits_on_host_2', 'more',
        ];
        self::assertSame([true, 5, 6, 7, 6, 8, 3], [$result->rich, ...array_map($result->count(...), $figures)]);
        $board->setRange(PageCount::Hits, 0, [2, 0, 4, 0]);
        self::assertFalse($run()->rich, 'no hit on the second host');
    }

    /** @param Closure(string): string $site */
    private function read(Closure $site, ?Board $board = null): Result
    {
        $crew = new Crew(DatabaseKind::Sqlite);
        $board ??= Board::create([PageCount::class => $crew->size(), Mark::class => 1]);
        $server = new ScriptedServer($site);
        $reader = $this->reader($server, $board);
        for ($i = 0; $i < self::READS; ++$i) {
            $reader->read();
        }
        $server->stop();

        return (new PageTally($crew, $board, new Findings($this->directory->path . '/wrong')))->result(1.0, 0, []);
    }

    /** @param int $host also its number on the board */
    private function reader(ScriptedServer $server, Board $board, int $host = 0): PageReader
    {
        $findings = new Findings($this->directory->path . '/wrong');

        return new PageReader(new Connection($server->address), $this->items, $board, $host, $findings, $host);
    }

    /** @return list<int> */
    private static function counts(Result $found): array
    {
        return array_map($found->count(...), ['reads', 'stale', 'wrong', 'unanswered']);
    }

    /**
     * The pages that the site would show.
     *
     * @param array<int, ItemState>|null $states those of setUp() if null
     */
    private function site(
        string $request,
        ?array $states = null,
        string $status = 'larder; hit',
        string $more = '',
    ): string {
        if (str_contains($request, 'If-None-Match')) {
            return self::answer(304, '', ['ETag: "same"', 'Cache-Status: ' . $status]);
        }
        preg_match('~^GET (\S+)~', $request, $matches);
        $uri = $matches[1] ?? '';
        $text = $more;
        foreach ($states ?? array_fill_keys($this->items->ids, new ItemState(1, '', 0)) as $id => $state) {
            $category = $state->category === '' ? HotItems::CATEGORIES[($id - 1) % 3] : $state->category;
            if (\in_array($uri, ['/', '/feed', '/news/' . $id, '/category/' . $category, '/feed/' . $category], true)) {
                $text .= \sprintf("[%d:%d]\n", $id, $state->version);
            }
        }
        $gzip = str_contains($request, 'Accept-Encoding: gzip');

        return self::answer(
            200,
            $gzip ? (string) gzencode($text) : $text,
            ['ETag: "same"', 'Cache-Status: ' . $status, ...($gzip ? ['Content-Encoding: gzip'] : [])],
        );
    }

    /** @param list<string> $headers */
    private static function answer(int $status, string $body, array $headers = []): string
    {
        return "HTTP/1.1 $status Told\r\n"
            . implode('', array_map(static fn(string $header): string => $header . "\r\n", $headers))
            . 'Content-Length: ' . \strlen($body) . "\r\n\r\n" . $body;
    }
}
