<?php

declare(strict_types=1);

namespace Larder\Torture\Tests;

use App\Repository\SqlItems;
use App\Tests\Http\InProcess;
use Larder\Page\Pages;
use Larder\Torture\Pages\HotItems;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(HotItems::class)]
final class HotItemsTest extends TestCase
{
    private InProcess $site;

    protected function setUp(): void
    {
        $this->site = new InProcess();
        $this->site->item();
        HotItems::install($this->site->database);
    }

    protected function tearDown(): void
    {
        $this->site->remove();
    }

    public function testTheyAreTheNewestAndFitOnOneList(): void
    {
        $items = HotItems::of($this->site->database);

        self::assertSame(range(21, 2), $items->ids);
        self::assertLessThanOrEqual(SqlItems::PER_PAGE, HotItems::COUNT);
        $states = $items->states();
        self::assertCount(HotItems::COUNT, $states);
        self::assertSame([1, 0], [$states[2]->version, $states[2]->comments]);
        self::assertSame(HotItems::CATEGORIES, array_values(array_unique(array_column($states, 'category'))));
    }

    public function testPagesTellWhatTheyWereMadeFrom(): void
    {
        self::assertSame([7 => 4, 8 => 12], HotItems::versions('<h1>[7:5]</h1> [8:12] [7:4] [7:9] [x:1] [9#3]'), 'the lowest of each');
        self::assertSame([7 => 2, 8 => 1], HotItems::comments('[7#1] [7#2] [8#1] [7:5]'), 'the last of each');
        self::assertSame([], HotItems::versions('nothing'));

        $this->site->comment(21, '[21#1]');
        $page = (string) $this->site->get('/news/21')->getBody();
        self::assertSame([[21 => 1], [21 => 1]], [HotItems::versions($page), HotItems::comments($page)]);
        foreach (['/', '/feed'] as $uri) {
            self::assertCount(HotItems::COUNT, HotItems::versions((string) $this->site->get($uri)->getBody()), $uri);
        }
    }

    public function testStatesAreWhatASelectSees(): void
    {
        $items = HotItems::of($this->site->database);
        $this->site->database->exec("UPDATE news SET title = '[5:77]', category = 'hot-c' WHERE id = 5");
        $this->site->comment(5, '[5#1]');
        $this->site->comment(5, '[5#2]');
        $state = $items->states()[5];

        self::assertSame([77, 'hot-c', 2], [$state->version, $state->category, $state->comments]);
    }

    public function testChangesOnlyEverRaiseNumbers(): void
    {
        $database = $this->site->configuration->connect();
        $ledger = Pages::of($this->site->configuration->site())->ledger($database);
        $items = HotItems::of($database);
        $raised = 0;
        for ($i = 0; $i < 60; ++$i) {
            $before = $items->states();
            $items->change($ledger, $database);
            foreach ($items->states() as $id => $state) {
                self::assertGreaterThanOrEqual($before[$id]->version, $state->version);
                self::assertGreaterThanOrEqual($before[$id]->comments, $state->comments);
                self::assertContains($state->category, HotItems::CATEGORIES);
                $raised += $state->version + $state->comments - $before[$id]->version - $before[$id]->comments;
            }
        }
        self::assertGreaterThanOrEqual(60, $raised, 'each raises at least one');
    }
}
