<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Encoding;

use ArrayObject;
use InvalidArgumentException;
use Larder\Bench\Workload\Job;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/** The shapes of values that sites cache; which serializer is best depends on them. Each run has the same bytes. */
enum Shape: string
{
    /** Ten properties of a user. */
    case Small = 'small';

    /** 200 rows of a query with seven columns. */
    case Rows = 'rows';

    /** A piece of a page: 4 KB of text, and what goes with it. */
    case Piece = 'piece';

    /** A tree of 341 objects, each with a few fields. */
    case Graph = 'graph';

    /** 500 times one of 20 long strings: good for a serializer that finds repeated strings. */
    case Strings = 'strings';

    /**
     * The large object of the published comparison: a copy of itself is appended to an empty one fifteen times. It has
     * 327,790 bytes by serialize(), and 514 by a serializer that writes repeated arrays once. Ordinary data do not
     * repeat like that.
     */
    case Nested = 'nested';

    public static function of(Job $job, self $default): self
    {
        $name = $job->string('shape', $default->value);

        return self::tryFrom($name)
            ?? throw new InvalidArgumentException(
                \sprintf(
                    'There is no shape "%s". There are: %s.',
                    $name,
                    implode(', ', array_column(self::cases(), 'value')),
                ),
            );
    }

    public function make(): mixed
    {
        return match ($this) {
            self::Small => [
                'id' => 4711,
                'name' => 'Ada Lovelace',
                'mail' => 'ada@example.org',
                'active' => true,
                'score' => 0.75,
                'roles' => ['editor', 'admin'],
                'theme' => 'dark',
                'visits' => 1815,
                'city' => 'London',
                'parent' => null,
            ],
            self::Rows => self::rows(),
            self::Piece => [
                'html' => substr(str_repeat(self::words(new Randomizer(new Xoshiro256StarStar(4)), 600), 2), 0, 4000),
                'etag' => '"2f1a"',
                'links' => ['/news', '/sport'],
            ],
            self::Graph => self::tree(4),
            self::Strings => self::strings(),
            self::Nested => self::nested(),
        };
    }

    public function hasObjects(): bool
    {
        return $this === self::Graph || $this === self::Nested;
    }

    /**
     * True if two values are the same to the last type and the order of keys, and objects the same by class and
     * content. PHP's serialization finds that at the speed of C, while == takes "1" for 1 and === compares the identity
     * of objects. It is too slow for every step.
     */
    public static function same(mixed $one, mixed $other): bool
    {
        return serialize($one) === serialize($other);
    }

    /**
     * @return list<array{
     *     id: int, title: string, author: string, category: string, price: float, public: bool, changed: string,
     * }>
     */
    private static function rows(): array
    {
        $random = new Randomizer(new Xoshiro256StarStar(200));
        $rows = [];
        for ($id = 1; $id <= 200; ++$id) {
            $rows[] = [
                'id' => $id,
                'title' => ucfirst(self::words($random, 5)),
                'author' => 'author' . $random->getInt(1, 30),
                'category' => ['news', 'sport', 'culture', 'science'][$random->getInt(0, 3)],
                'price' => ($random->getInt(100, 99_999) | 1) / 100,
                'public' => $random->getInt(0, 9) > 0,
                'changed' => gmdate('Y-m-d H:i:s', 1_700_000_000 + $random->getInt(0, 10_000_000)),
            ];
        }

        return $rows;
    }

    private static function tree(int $depth): GraphNode
    {
        $children = [];
        for ($child = 0; $depth > 0 && $child < 4; ++$child) {
            $children[] = self::tree($depth - 1);
        }

        return new GraphNode('node at depth ' . $depth, $depth * 7, $depth / 3, $children);
    }

    /** @return list<string> */
    private static function strings(): array
    {
        $random = new Randomizer(new Xoshiro256StarStar(20));
        $words = array_map(static fn(): string => self::words($random, 8), range(1, 20));

        return array_map(static fn(): string => $words[$random->getInt(0, 19)], range(1, 500));
    }

    /** @return ArrayObject<int, mixed> */
    private static function nested(): ArrayObject
    {
        /** @var ArrayObject<int, mixed> $object */
        $object = new ArrayObject();
        for ($time = 0; $time < 15; ++$time) {
            $object->append($object->getArrayCopy());
        }

        return $object;
    }

    private static function words(Randomizer $random, int $count): string
    {
        $words = [];
        for ($word = 0; $word < $count; ++$word) {
            $words[] = substr(bin2hex($random->getBytes(5)), 0, $random->getInt(3, 10));
        }

        return implode(' ', $words);
    }
}
