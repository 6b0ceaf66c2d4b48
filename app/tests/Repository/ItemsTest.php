<?php

declare(strict_types=1);

namespace App\Tests\Repository;

use App\Repository\SqlItems;
use App\Slug;
use Larder\Dependency\Change;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(SqlItems::class)]
#[CoversClass(Slug::class)]
final class ItemsTest extends TestCase
{
    private Shelf $shelf;

    protected function setUp(): void
    {
        $this->shelf = new Shelf();
    }

    public function testOneItemIsReadByItsOwnName(): void
    {
        $id = $this->shelf->add('jar: of glass');
        [$item, $names] = $this->shelf->recorded(fn(): ?array => $this->shelf->items->get($id));

        self::assertSame(['id' => $id, 'title' => 'jar: of glass', 'summary' => 'Summary of jar: of glass', 'body' => 'A body.', 'category' => 'glass', 'author' => 'Ann'], $item);
        self::assertSame(['news:' . $id], $names);
    }

    public function testAnItemThatIsNotThereIsARead(): void
    {
        self::assertSame([null, ['news:99']], $this->shelf->recorded(fn(): ?array => $this->shelf->items->get(99)));
    }

    public function testAListItsPagingAndItsCountReadTheCategory(): void
    {
        for ($i = 1; $i <= SqlItems::PER_PAGE + 2; ++$i) {
            $this->shelf->add('jar ' . $i);
        }
        $this->shelf->add('tin', 'metal');

        [$first, $names] = $this->shelf->recorded(fn(): array => array_column($this->shelf->items->page('glass', 1), 'title'));
        self::assertCount(SqlItems::PER_PAGE, $first);
        self::assertSame(['jar 27', 'jar 3'], [$first[0], $first[SqlItems::PER_PAGE - 1]], 'the newest first');
        self::assertSame(['news?category=glass'], $names);
        self::assertSame([['jar 2', 'jar 1'], ['news?category=glass']], $this->shelf->recorded(fn(): array => array_column($this->shelf->items->page('glass', 2), 'title')));
        self::assertSame([SqlItems::PER_PAGE + 2, ['news?category=glass']], $this->shelf->recorded(fn(): int => $this->shelf->items->count('glass')));
        self::assertSame([$first, ['news?category=glass']], $this->shelf->recorded(fn(): array => array_column($this->shelf->items->latest('glass'), 'title')));
    }

    public function testNothingFoundIsARead(): void
    {
        self::assertSame([[], ['news?category=none']], $this->shelf->recorded(fn(): array => $this->shelf->items->page('none', 1)));
        self::assertSame([0, ['news?category=none']], $this->shelf->recorded(fn(): int => $this->shelf->items->count('none')));
        self::assertSame([[], ['word?word=none']], $this->shelf->recorded(fn(): array => $this->shelf->items->withWord('none')));
        self::assertSame([[], ['news']], $this->shelf->recorded(fn(): array => $this->shelf->items->latest()));
    }

    public function testWhatNoSetCoversReadsTheTable(): void
    {
        $this->shelf->add('jar');
        $this->shelf->add('tin', 'metal');
        $this->shelf->add('lid');

        self::assertSame([['lid', 'tin', 'jar'], ['news']], $this->shelf->recorded(fn(): array => array_column($this->shelf->items->latest(), 'title')));
        self::assertSame([['glass' => 2, 'metal' => 1], ['news']], $this->shelf->recorded(fn(): array => $this->shelf->items->categories()));
        self::assertSame([['tin'], ['news']], $this->shelf->recorded(fn(): array => array_column($this->shelf->items->withPhrase('of TIN'), 'title')));
    }

    public function testAWordIsReadByItsNameAndTheItemsByTheirs(): void
    {
        $old = $this->shelf->add('Glass jar');
        $this->shelf->add('tin', 'metal');
        $new = $this->shelf->add('bottle of glass', 'metal');

        self::assertSame(
            [['bottle of glass', 'Glass jar'], ['news:' . $old, 'news:' . $new, 'word?word=glass']],
            $this->shelf->recorded(fn(): array => array_column($this->shelf->items->withWord('glass'), 'title')),
        );
        self::assertSame([], $this->shelf->items->withWord('glas'), 'whole words only');
    }

    public function testAPhraseIsNoPattern(): void
    {
        $this->shelf->add('one', body: 'holds 100% of it');
        $this->shelf->add('two', body: 'holds 1000 of it');
        $this->shelf->add('three', body: 'a web-server\\here');
        $titles = fn(string $phrase): array => array_column($this->shelf->items->withPhrase($phrase), 'title');

        self::assertSame(['one'], $titles('100%'));
        self::assertSame(['one'], $titles('0% of'));
        self::assertSame(['two'], $titles('1000'));
        self::assertSame([], $titles('1_00'));
        self::assertSame(['three'], $titles('web server'), 'a blank is any one character');
        self::assertSame(['three'], $titles('server\\here'));
        self::assertSame(['two', 'one'], $titles('HOLDS'));
        self::assertSame([], $titles("' OR 1 = 1 --"));
    }

    public function testAnEditTellsRowBothCategoriesAndOnlyTheWordsThatChanged(): void
    {
        $id = $this->shelf->add('glass jar');
        $names = $this->shelf->changed(fn(Change $change) => $this->shelf->items->edit($change, $id, 'tin jar', 'S', 'B', 'metal'));

        self::assertSame(['title' => 'tin jar', 'summary' => 'S', 'body' => 'B', 'category' => 'metal'], array_intersect_key($this->shelf->items->get($id) ?? [], ['title' => 1, 'summary' => 1, 'body' => 1, 'category' => 1]));
        self::assertSame(['news', 'news:' . $id, 'news?category=glass', 'news?category=metal'], array_values(array_filter($names, static fn(string $name): bool => str_starts_with($name, 'news'))));
        self::assertSame(['word?word=glass', 'word?word=tin'], array_values(array_filter($names, static fn(string $name): bool => str_starts_with($name, 'word?word='))));
        self::assertSame([[], ['tin jar'], ['tin jar']], array_map(fn(string $word): array => array_column($this->shelf->items->withWord($word), 'title'), ['glass', 'tin', 'jar']));
    }

    public function testAnEditThatKeepsTheTitleTellsNothingOfWords(): void
    {
        $id = $this->shelf->add('glass jar');
        $names = $this->shelf->changed(fn(Change $change) => $this->shelf->items->edit($change, $id, 'glass jar', 'S', 'B', 'glass'));

        self::assertSame(['news', 'news:' . $id, 'news?category=glass'], $names);
    }

    public function testWordsAreEachThereOnceAndSlugsAreCanonical(): void
    {
        self::assertSame(['php', 'cache', '82', 'the'], Slug::words('PHP-cache: php 82 — the cache'));
        self::assertSame(['a' => 'contrib-net', 'b' => '', 'c' => 'x'], ['a' => Slug::of('Contrib/Net'), 'b' => Slug::of('—…'), 'c' => Slug::of('-x-')]);
        $long = Slug::of(str_repeat('ab ', 50));
        self::assertLessThanOrEqual(Slug::LONGEST, \strlen($long));
        self::assertMatchesRegularExpression('/^' . Slug::PATTERN . '$/D', $long);
    }
}
