<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use Larder\Follow\BulkChange;
use Larder\Follow\LogEvent;
use Larder\Follow\PostgreSql\TestDecoding;
use Larder\Follow\RowChange;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(TestDecoding::class)]
final class TestDecodingTest extends TestCase
{
    /** Texts that PostgreSQL 15 printed. */
    public function testReadsHostileNamesAndValues(): void
    {
        $text = "id[bigint]:9223372036854775807 t[text]:'it''s \\ a\ntable public.par: INSERT: id[integer]:9\n"
            . "COMMIT 5 new-tuple: null' n[integer]:null b[bytea]:'\\x0001ff' bo[boolean]:true bi[bit]:B'10101'"
            . " f[double precision]:1.5 num[numeric]:-1.25 ts[timestamp with time zone]:'2024-01-02 03:04:05+00'"
            . " m[mood]:'it''s' ar[integer[]]:'{1,2}' c[character]:'ab   '";
        self::assertEquals([new RowChange('public', 'full_', null, [
            'id' => '9223372036854775807',
            't' => "it's \\ a\ntable public.par: INSERT: id[integer]:9\nCOMMIT 5 new-tuple: null",
            'n' => null, 'b' => '\\x0001ff', 'bo' => 'true', 'bi' => '10101', 'f' => '1.5', 'num' => '-1.25',
            'ts' => '2024-01-02 03:04:05+00', 'm' => "it's", 'ar' => '{1,2}', 'c' => 'ab   ',
        ], true)], TestDecoding::read("table public.full_: INSERT: $text"));
        $table = 'table public."we""ird. t[a]:ble"';
        $update = "$table: UPDATE: old-key: \"I d\"[integer]:1 new-tuple: \"I d\"[integer]:2"
            . " \"a[b]:c\"[character varying]:' new-tuple: ' \"x\"\"y\"[\"my]type\"]:'{a,b}'";
        self::assertEquals([new RowChange('public', 'we"ird. t[a]:ble', ['I d' => '1'], [
            'I d' => '2', 'a[b]:c' => ' new-tuple: ', 'x"y' => '{a,b}',
        ], false)], TestDecoding::read($update));
        self::assertEquals(
            [new RowChange('public', 'we"ird. t[a]:ble', ['I d' => '2'], null, false)],
            TestDecoding::read("$table: DELETE: \"I d\"[integer]:2"),
        );
    }

    public function testALongValueThatStaysIsTakenFromTheRowBefore(): void
    {
        self::assertEquals(
            [new RowChange('public', 't', ['id' => '1', 'a' => 'x'], ['id' => '1', 'a' => 'x', 'b' => false], false)],
            TestDecoding::read("table public.t: UPDATE: old-key: id[integer]:1 a[text]:'x' new-tuple: id[integer]:1"
                . ' a[text]:unchanged-toast-datum b[text]:unchanged-toast-datum'),
        );
        $long = str_repeat('x', TestDecoding::LONGEST_VALUE + 1);
        self::assertEquals(
            [new RowChange('public', 't', null, ['id' => '1', 'a' => false], true)],
            TestDecoding::read("table public.t: INSERT: id[integer]:1 a[text]:'$long'"),
        );
    }

    public function testEndsTablesOfWhichItDoesNotSayTheRows(): void
    {
        self::assertEquals([
            BulkChange::ofTable('public', 'par', 'TRUNCATE'), BulkChange::ofTable('public', 'full_', 'TRUNCATE'),
        ], TestDecoding::read('table public.par, public.full_: TRUNCATE: cascade'));
        self::assertEquals(
            [BulkChange::ofTable('public', 'nokey', 'a row without its key')],
            TestDecoding::read('table public.nokey: DELETE: (no-tuple-data)'),
        );
    }

    /** @return list<array{string}> */
    public static function unclear(): array
    {
        return [
            ['table public.t: INSERT: id[integer]:'], ['table public.t: INSERT: id[integer]:1 '],
            ["table public.t: INSERT: id[integer]:1 a[text]:'x"], ['table public.t: INSERT: id:1'],
            ["table public.t: INSERT: a[text]:'x'y"], ['table public.t: INSERT:'], ['table public.t: MERGE: x'],
            ['table public.t: UPDATE: old-key: id[integer]:1'], ['table public.t: UPDATE: id[integer:1'],
            ['table public.t: UPDATE: old-key: id[integer]:1 new-tuple:'], ['table public.t, public.u: INSERT: a'],
            ['table public: INSERT: id[integer]:1'], ['table "".t: INSERT: id[integer]:1'], ['SEQUENCE x'], [''],
        ];
    }

    #[DataProvider('unclear')]
    public function testEndsMoreWhereItDoesNotUnderstand(string $text): void
    {
        $events = TestDecoding::read($text);
        self::assertNotSame([], $events);
        self::assertSame([], array_filter(
            $events,
            static fn(LogEvent $event): bool => !$event instanceof BulkChange,
        ));
    }

    public function testTransactionsAndMessagesChangeNothing(): void
    {
        self::assertSame([], TestDecoding::read('BEGIN 745'));
        self::assertSame([], TestDecoding::read('COMMIT 745'));
        self::assertSame([], TestDecoding::read('message: transactional: 1 prefix: pfx, sz: 5 content:hello'));
    }
}
