<?php

declare(strict_types=1);

namespace App\Tests\Repository;

use App\Repository\SqlComments;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(SqlComments::class)]
final class CommentsTest extends TestCase
{
    private ItemTables $tables;

    protected function setUp(): void
    {
        $this->tables = new ItemTables();
    }

    protected function tearDown(): void
    {
        $this->tables->remove();
    }

    public function testTheCommentsOfAnItemAreReadByTheItem(): void
    {
        [$one, $other] = [$this->tables->add('one'), $this->tables->add('other')];
        $this->tables->comment($one, 'first');
        $this->tables->comment($other, 'elsewhere');
        $this->tables->comment($one, 'second');

        self::assertSame(
            [['first', 'second'], ['comment?news_id=' . $one]],
            $this->tables->recorded(fn(): array => array_column($this->tables->comments->of($one), 'text')),
        );
        self::assertSame(
            [[], ['comment?news_id=99']],
            $this->tables->recorded(fn(): array => $this->tables->comments->of(99)),
            'none is a read too',
        );
    }

    public function testCountsAreReadItemByItem(): void
    {
        [$one, $other, $none] = [$this->tables->add('one'), $this->tables->add('other'), $this->tables->add('none')];
        $this->tables->comment($one, 'a');
        $this->tables->comment($one, 'b');
        $this->tables->comment($other, 'c');

        self::assertSame(
            [[$one => 2, $none => 0], ['comment?news_id=' . $one, 'comment?news_id=' . $none]],
            $this->tables->recorded(fn(): array => $this->tables->comments->counts([$one, $none])),
        );
        self::assertSame(
            [[], []],
            $this->tables->recorded(fn(): array => $this->tables->comments->counts([])),
            'nothing is asked for nothing',
        );
    }

    public function testANewCommentTellsItsRowAndItsItem(): void
    {
        $id = $this->tables->add('one');
        $names = $this->tables->changed(
            fn() => $this->tables->comments->add(
                $id,
                'Ann',
                "It's \"good\"",
                '2026-02-03 04:05:06',
            ),
        );

        self::assertSame(['comment', 'comment:1', 'comment?news_id=' . $id], $names);
        self::assertSame(
            [['id' => 1, 'author' => 'Ann', 'text' => "It's \"good\"", 'created_at' => '2026-02-03 04:05:06']],
            $this->tables->comments->of($id),
        );
    }
}
