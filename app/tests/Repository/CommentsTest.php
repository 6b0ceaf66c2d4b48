<?php

declare(strict_types=1);

namespace App\Tests\Repository;

use App\Repository\SqlComments;
use Larder\Dependency\Change;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(SqlComments::class)]
final class CommentsTest extends TestCase
{
    private Shelf $shelf;

    protected function setUp(): void
    {
        $this->shelf = new Shelf();
    }

    public function testTheCommentsOfAnItemAreReadByTheItem(): void
    {
        [$one, $other] = [$this->shelf->add('one'), $this->shelf->add('other')];
        $this->shelf->comment($one, 'first');
        $this->shelf->comment($other, 'elsewhere');
        $this->shelf->comment($one, 'second');

        self::assertSame([['first', 'second'], ['comment?news_id=' . $one]], $this->shelf->recorded(fn(): array => array_column($this->shelf->comments->of($one), 'text')));
        self::assertSame([[], ['comment?news_id=99']], $this->shelf->recorded(fn(): array => $this->shelf->comments->of(99)), 'none is a read too');
    }

    public function testCountsAreReadItemByItem(): void
    {
        [$one, $other, $none] = [$this->shelf->add('one'), $this->shelf->add('other'), $this->shelf->add('none')];
        $this->shelf->comment($one, 'a');
        $this->shelf->comment($one, 'b');
        $this->shelf->comment($other, 'c');

        self::assertSame(
            [[$one => 2, $none => 0], ['comment?news_id=' . $one, 'comment?news_id=' . $none]],
            $this->shelf->recorded(fn(): array => $this->shelf->comments->counts([$one, $none])),
        );
        self::assertSame([[], []], $this->shelf->recorded(fn(): array => $this->shelf->comments->counts([])), 'nothing is asked for nothing');
    }

    public function testANewCommentTellsItsRowAndItsItem(): void
    {
        $id = $this->shelf->add('one');
        $names = $this->shelf->changed(fn(Change $change) => $this->shelf->comments->add($change, $id, 'Ann', "It's \"good\"", '2026-02-03 04:05:06'));

        self::assertSame(['comment', 'comment:1', 'comment?news_id=' . $id], $names);
        self::assertSame([['id' => 1, 'author' => 'Ann', 'text' => "It's \"good\"", 'created_at' => '2026-02-03 04:05:06']], $this->shelf->comments->of($id));
    }
}
