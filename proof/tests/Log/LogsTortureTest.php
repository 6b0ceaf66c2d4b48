<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Log;

use Larder\Follow\RowChange;
use Larder\Proof\Log\BinlogTrial;
use Larder\Proof\Log\BinlogWriter;
use Larder\Proof\Log\Damage;
use Larder\Proof\Log\DecodingTrial;
use Larder\Proof\Log\DecodingWriter;
use Larder\Proof\Log\PrintedLog;
use Larder\Proof\Log\WrittenTransaction;
use Larder\Tests\Support\Sql\Choices;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(BinlogWriter::class)]
#[CoversClass(DecodingWriter::class)]
#[CoversClass(BinlogTrial::class)]
#[CoversClass(DecodingTrial::class)]
#[CoversClass(WrittenTransaction::class)]
final class LogsTortureTest extends TestCase
{
    public function testAChangeThatTheParserDoesNotGiveIsFound(): void
    {
        $choices = new Choices(1);
        $log = (new BinlogWriter($choices))->log(1);
        self::assertNull((new BinlogTrial($choices))->run($log, $log->text, Damage::None));
        $more = new PrintedLog($log->text, $log->tails, [new WrittenTransaction(
            [...$log->transactions[0]->changes, new RowChange('app', 'other', null, [1 => '1'], true)],
            $log->transactions[0]->end,
        )], true);
        self::assertSame(
            'a whole log says something else',
            (new BinlogTrial($choices))->run($more, $log->text, Damage::None),
        );
        self::assertStringStartsWith(
            'a change is missed',
            (string) (new BinlogTrial($choices))->run($more, $log->text, Damage::Lines),
        );
        self::assertSame(
            'a whole text says something else',
            (new DecodingTrial())->run('table public.t: INSERT: id[integer]:1', [], Damage::None),
        );
    }

    public function testWhatEndsAChange(): void
    {
        $end = (new BinlogWriter(new Choices(1)))->log(1)->transactions[0]->end;
        $change = new RowChange('app', 'news', [1 => '4', 2 => 'x'], [1 => '4', 2 => 'y'], false);
        $transaction = new WrittenTransaction([$change], $end);
        self::assertNull($transaction->missedBy([$change]));
        self::assertNull($transaction->missedBy([
            new RowChange('app', 'news', [1 => '4'], [1 => '4', 2 => false], false),
        ]));
        self::assertSame($change, $transaction->missedBy([]));
        self::assertSame($change, $transaction->missedBy([
            new RowChange('app', 'news', [1 => '5', 2 => 'x'], [1 => '4', 2 => 'y'], false),
        ]));
        self::assertSame($change, $transaction->missedBy([
            new RowChange('app', 'news', null, [1 => '4', 2 => 'y'], true),
        ]));
    }
}
