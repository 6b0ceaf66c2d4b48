<?php

declare(strict_types=1);

namespace App\Tests\Repository;

use App\Repository\SqlItems;
use App\Slug;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(SqlItems::class)]
#[CoversClass(Slug::class)]
final class ItemsTest extends TestCase
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

    public function testOneItemIsReadByItsOwnName(): void
    {
        $id = $this->tables->add('jar: of glass');
        [$item, $names] = $this->tables->recorded(fn(): ?array => $this->tables->items->get($id));

        self::assertSame(
            [
                'id' => $id,
                'title' => 'jar: of glass',
                'summary' => 'Summary of jar: of glass',
                'body' => 'A body.',
                'category' => 'glass',
                'author' => 'Ann',
            ],
            $item,
        );
        self::assertSame(['news:' . $id], $names);
    }

    public function testAnItemThatIsNotThereIsARead(): void
    {
        self::assertSame([null, ['news:99']], $this->tables->recorded(fn(): ?array => $this->tables->items->get(99)));
    }

    public function testAListItsPagingAndItsCountReadTheCategory(): void
    {
        for ($i = 1; $i <= SqlItems::PER_PAGE + 2; ++$i) {
            $this->tables->add('jar ' . $i);
        }
        $this->tables->add('tin', 'metal');

        [$first, $names] = $this->tables->recorded(
            fn(): array => array_column($this->tables->items->page('glass', 1), 'title'),
        );
        self::assertCount(SqlItems::PER_PAGE, $first);
        self::assertSame(['jar 27', 'jar 3'], [$first[0], $first[SqlItems::PER_PAGE - 1]], 'the newest first');
        self::assertSame(['news?category=glass'], $names);
        self::assertSame(
            [['jar 2', 'jar 1'], ['news?category=glass']],
            $this->tables->recorded(fn(): array => array_column($this->tables->items->page('glass', 2), 'title')),
        );
        self::assertSame(
            [SqlItems::PER_PAGE + 2, ['news?category=glass']],
            $this->tables->recorded(fn(): int => $this->tables->items->count('glass')),
        );
        self::assertSame(
            [$first, ['news?category=glass']],
            $this->tables->recorded(fn(): array => array_column($this->tables->items->latest('glass'), 'title')),
        );
    }

    public function testNothingFoundIsARead(): void
    {
        self::assertSame(
            [[], ['news?category=none']],
            $this->tables->recorded(fn(): array => $this->tables->items->page('none', 1)),
        );
        self::assertSame(
            [0, ['news?category=none']],
            $this->tables->recorded(fn(): int => $this->tables->items->count('none')),
        );
        self::assertSame(
            [[], ['word?word=none']],
            $this->tables->recorded(fn(): array => $this->tables->items->withWord('none')),
        );
        self::assertSame([[], ['news']], $this->tables->recorded(fn(): array => $this->tables->items->latest()));
    }

    public function testWhatNoSetCoversReadsTheTable(): void
    {
        $this->tables->add('jar');
        $this->tables->add('tin', 'metal');
        $this->tables->add('lid');

        self::assertSame(
            [['lid', 'tin', 'jar'], ['news']],
            $this->tables->recorded(fn(): array => array_column($this->tables->items->latest(), 'title')),
        );
        self::assertSame(
            [['glass' => 2, 'metal' => 1], ['news']],
            $this->tables->recorded(fn(): array => $this->tables->items->categories()),
        );
        self::assertSame(
            [['tin'], ['news']],
            $this->tables->recorded(fn(): array => array_column($this->tables->items->withPhrase('of TIN'), 'title')),
        );
    }

    public function testAWordIsReadByItsNameAndTheItemsByTheirs(): void
    {
        $old = $this->tables->add('Glass jar');
        $this->tables->add('tin', 'metal');
        $new = $this->tables->add('bottle of glass', 'metal');

        self::assertSame(
            [['bottle of glass', 'Glass jar'], ['news:' . $old, 'news:' . $new, 'word?word=glass']],
            $this->tables->recorded(fn(): array => array_column($this->tables->items->withWord('glass'), 'title')),
        );
        self::assertSame([], $this->tables->items->withWord('glas'), 'whole words only');
    }

    public function testAPhraseIsNoPattern(): void
    {
        $this->tables->add('one', body: 'holds 100% of it');
        $this->tables->add('two', body: 'holds 1000 of it');
        $this->tables->add('three', body: 'a web-server\\here');
        $titles = fn(string $phrase): array => array_column($this->tables->items->withPhrase($phrase), 'title');

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
        $id = $this->tables->add('glass jar');
        $names = $this->tables->changed(
            fn() => $this->tables->items->edit($id, 'tin jar', 'S', 'B', 'metal'),
        );

        self::assertSame(
            ['title' => 'tin jar', 'summary' => 'S', 'body' => 'B', 'category' => 'metal'],
            array_intersect_key(
                $this->tables->items->get($id) ?? [],
                ['title' => 1, 'summary' => 1, 'body' => 1, 'category' => 1],
            ),
        );
        self::assertSame(
            ['news', 'news:' . $id, 'news?category=glass', 'news?category=metal'],
            array_values(array_filter($names, static fn(string $name): bool => str_starts_with($name, 'news'))),
        );
        self::assertSame(
            ['word?word=glass', 'word?word=tin'],
            array_values(array_filter($names, static fn(string $name): bool => str_starts_with($name, 'word?word='))),
        );
        self::assertSame(
            [[], ['tin jar'], ['tin jar']],
            array_map(
                fn(string $word): array => array_column($this->tables->items->withWord($word), 'title'),
                ['glass', 'tin', 'jar'],
            ),
        );
    }

    public function testAnEditThatKeepsTheTitleTellsNothingOfWords(): void
    {
        $id = $this->tables->add('glass jar');
        $names = $this->tables->changed(
            fn() => $this->tables->items->edit($id, 'glass jar', 'S', 'B', 'glass'),
        );

        self::assertSame(['news', 'news:' . $id, 'news?category=glass'], $names);
    }

    public function testWordsAreEachThereOnceAndSlugsAreCanonical(): void
    {
        self::assertSame(['php', 'cache', '82', 'the'], Slug::words('PHP-cache: php 82 — the cache'));
        self::assertSame(
            ['a' => 'contrib-net', 'b' => '', 'c' => 'x'],
            ['a' => Slug::of('Contrib/Net'), 'b' => Slug::of('—…'), 'c' => Slug::of('-x-')],
        );
        $long = Slug::of(str_repeat('ab ', 50));
        self::assertLessThanOrEqual(Slug::LONGEST, \strlen($long));
        self::assertMatchesRegularExpression('/^' . Slug::PATTERN . '$/D', $long);
    }
}
