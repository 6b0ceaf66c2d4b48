<?php

declare(strict_types=1);

namespace App\Tests\Repository;

use App\Repository\CachedComments;
use App\Repository\CachedItems;
use App\Repository\Comments;
use App\Repository\Items;
use ArrayObject;
use Closure;
use Larder\Store;
use Larder\Store\ArrayStore;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** What comes out of the cache is what the tables have, and how often each of the two is asked. */
#[CoversClass(CachedComments::class)]
#[CoversClass(CachedItems::class)]
final class CachedTest extends TestCase
{
    private CachedTables $tables;

    protected function setUp(): void
    {
        $this->tables = new CachedTables();
        foreach ([
            'tin jar' => 'metal',
            'glass jar' => 'glass',
            'bottle' => 'glass',
            'wire' => 'metal',
            'jar of clay' => 'clay',
        ] as $title => $category) {
            $this->tables->add($title, $category);
        }
        $this->tables->comment(2, 'first');
        $this->tables->comment(2, 'second');
    }

    protected function tearDown(): void
    {
        $this->tables->remove();
    }

    /** @return iterable<string, array{Closure(Items, Comments): mixed}> */
    public static function questions(): iterable
    {
        yield 'an item' => [static fn(Items $items): ?array => $items->get(2)];
        yield 'no item' => [static fn(Items $items): ?array => $items->get(99)];
        yield 'the newest' => [static fn(Items $items): array => $items->latest()];
        yield 'the newest of a category' => [static fn(Items $items): array => $items->latest('glass')];
        yield 'a page' => [static fn(Items $items): array => $items->page('metal', 1)];
        yield 'a page beyond the last' => [static fn(Items $items): array => $items->page('metal', 2)];
        yield 'a count' => [static fn(Items $items): int => $items->count('glass')];
        yield 'no category' => [static fn(Items $items): int => $items->count('none')];
        yield 'categories' => [static fn(Items $items): array => $items->categories()];
        yield 'a word' => [static fn(Items $items): array => $items->withWord('jar')];
        yield 'a word that is nowhere' => [static fn(Items $items): array => $items->withWord('none')];
        yield 'a phrase' => [static fn(Items $items): array => $items->withPhrase('jar')];
        yield 'comments' => [static fn(Items $items, Comments $comments): array => $comments->of(2)];
        yield 'no comments' => [static fn(Items $items, Comments $comments): array => $comments->of(1)];
        yield 'counts of comments' => [
            static fn(Items $items, Comments $comments): array => $comments->counts([3, 2, 1]),
        ];
        yield 'counts of nothing' => [static fn(Items $items, Comments $comments): array => $comments->counts([])];
    }

    /** @param Closure(Items, Comments): mixed $ask */
    #[DataProvider('questions')]
    public function testTheAnswerIsTheTablesFromTheFirstTimeOn(Closure $ask): void
    {
        $expected = $ask($this->tables->table, $this->tables->remarks);

        foreach (['made', 'kept', 'kept on'] as $when) {
            self::assertSame($expected, $ask($this->tables->items, $this->tables->comments), $when);
        }
        $this->tables->database->reads();
        $ask($this->tables->items, $this->tables->comments);
        self::assertSame(0, $this->tables->database->reads(), 'The second time it comes out of the cache.');
    }

    public function testAListIsItsIdsAndOneCallForAllRows(): void
    {
        /** @var ArrayObject<int, list<string>> $reads */
        $reads = new ArrayObject();
        $tables = new CachedTables($this->noting($reads));
        foreach (['tin jar', 'glass jar', 'wire', 'jar of clay'] as $title) {
            $tables->add($title, 'metal');
        }
        $tables->items->withWord('jar');
        $before = \count($reads);
        $titles = array_column($tables->items->withWord('jar'), 'title');
        $tables->remove();

        self::assertSame(['jar of clay', 'glass jar', 'tin jar'], $titles);
        self::assertSame(
            [['ids of word jar'], ['item 4', 'item 2', 'item 1']],
            \array_slice($reads->getArrayCopy(), $before),
        );
    }

    public function testListsShareTheirRows(): void
    {
        $this->tables->items->latest();
        $this->tables->database->reads();

        $this->tables->items->withWord('jar');
        $this->tables->items->get(4);
        self::assertSame(1, $this->tables->database->reads(), 'The ids of the second list, and no row.');
    }

    public function testAnEditEndsTheRowAndNotTheListsThatShowIt(): void
    {
        $titles = fn(): array => array_column($this->tables->items->withWord('jar'), 'title');
        $titles();
        $this->tables->edit(2, 'glass jar', 'new summary', 'glass');
        $this->tables->database->reads();

        $this->tables->items->get(1);
        self::assertSame(0, $this->tables->database->reads(), 'No other row, although one query read them all.');
        self::assertSame('new summary', $this->tables->items->withWord('jar')[1]['summary']);
        self::assertSame(1, $this->tables->database->reads(), 'The one row.');

        $this->tables->edit(2, 'glass of wine', 'new summary', 'glass');
        self::assertSame(['jar of clay', 'tin jar'], $titles());
    }

    public function testAMoveIsSeenInBothCategories(): void
    {
        $titles = fn(string $category): array => array_column($this->tables->items->page($category, 1), 'title');
        self::assertSame(
            [['bottle', 'glass jar'], ['wire', 'tin jar'], 2, 2],
            [
                $titles('glass'),
                $titles('metal'),
                $this->tables->items->count('glass'),
                $this->tables->items->count('metal'),
            ],
        );

        $this->tables->edit(2, 'glass jar', 'S', 'metal');
        self::assertSame(
            [['bottle'], ['wire', 'glass jar', 'tin jar'], 1, 3],
            [
                $titles('glass'),
                $titles('metal'),
                $this->tables->items->count('glass'),
                $this->tables->items->count('metal'),
            ],
        );
        self::assertSame(['clay' => 1, 'glass' => 1, 'metal' => 3], $this->tables->items->categories());
    }

    public function testAnItemThatGoesBetweenItsListAndItsRowIsLeftOut(): void
    {
        $this->tables->items->withWord('jar');
        $this->tables->change(function (): void {
            foreach (['word WHERE news_id', 'comment WHERE news_id', 'news WHERE id'] as $rows) {
                $this->tables->database->exec("DELETE FROM $rows = 2");
            }
        });

        self::assertSame(['jar of clay', 'tin jar'], array_column($this->tables->items->withWord('jar'), 'title'));
    }

    public function testACommentEndsItsItemsCountAndNoOther(): void
    {
        self::assertSame([1 => 0, 2 => 2], $this->tables->comments->counts([1, 2]));
        $this->tables->comment(1, 'at last');
        $this->tables->database->reads();

        self::assertSame([2 => 2], $this->tables->comments->counts([2]));
        self::assertSame(0, $this->tables->database->reads());
        self::assertSame([1 => 1, 2 => 2], $this->tables->comments->counts([1, 2]));
        self::assertSame(1, $this->tables->database->reads());
        self::assertSame(['at last'], array_column($this->tables->comments->of(1), 'text'));
    }

    /** @param ArrayObject<int, list<string>> $reads gets the keys of each call that reads values */
    private function noting(ArrayObject $reads): Store
    {
        $store = new ArrayStore();
        $noting = self::createStub(Store::class);
        $noting->method(
            'get',
        )->willReturnCallback(static function (string $key, mixed $default = null) use ($store, $reads): mixed {
            $reads[] = [$key];

            return $store->get($key, $default);
        });
        $noting->method('getMultiple')->willReturnCallback(static function (array $keys) use ($store, $reads): array {
            /** @var list<string> $keys */
            $reads[] = $keys;

            return $store->getMultiple($keys);
        });
        $noting->method('getOrLease')->willReturnCallback($store->getOrLease(...));
        $noting->method('lease')->willReturnCallback($store->lease(...));
        $noting->method('release')->willReturnCallback($store->release(...));
        $noting->method('set')->willReturnCallback($store->set(...));

        return $noting;
    }
}
