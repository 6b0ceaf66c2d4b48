<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use InvalidArgumentException;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Value\SealedBytes;

/** Kinds of values that a store in memory treats differently. */
enum Value: string
{
    case Int = 'int';

    /** 100 bytes. */
    case String = 'string';

    /** 4,096 bytes. */
    case Page = 'page';

    /** 100,000 bytes. */
    case Text = 'text';

    /** An array with four keys. */
    case Fields = 'fields';

    /** A row with ten columns, 400 bytes by serialize(). */
    case Row = 'row';

    /** 1,000 strings by 1,000 keys. */
    case Keys = 'keys';

    /** 1,000 rows of a query with five columns. */
    case Rows = 'rows';

    private const COUNT = 1000;

    /** Bytes of Row, and those that a text's length has more than that of an empty one when it is 100 to 999. */
    private const WHOLE = 400;
    private const DIGITS = 2;

    public static function of(Job $job): self
    {
        $name = $job->string('value', self::Rows->value);

        return self::tryFrom($name)
            ?? throw new InvalidArgumentException(
                \sprintf(
                    'There is no value "%s". There are: %s.',
                    $name,
                    implode(', ', array_column(self::cases(), 'value')),
                ),
            );
    }

    /** The id of the subject that has these values alone. */
    public function subject(): string
    {
        return 'value-' . $this->value;
    }

    /** The values of a subject that is named for them; null: it is named for none. */
    public static function ofSubject(string $id): ?self
    {
        return preg_match('/^value-([a-z]+)(?:[*#]|$)/', $id, $match) === 1 ? self::tryFrom($match[1]) : null;
    }

    public function title(): string
    {
        return match ($this) {
            self::Int => 'int',
            self::String => 'string of 100 bytes',
            self::Page => 'string of 4,096 bytes',
            self::Text => 'string of 100,000 bytes',
            self::Fields => 'array of 4 keys',
            self::Row => 'row of 10 columns',
            self::Keys => 'array of 1,000 keys',
            self::Rows => '1,000 rows of 5 columns',
        };
    }

    /**
     * The value of a key, unlike that of any other key in every part. No two strings in it are one in memory but the
     * names of columns, as a database's driver hands them out.
     *
     * @param int $number of the key
     */
    public function make(int $number): mixed
    {
        return match ($this) {
            self::Int => 4_000_000_007 + $number,
            self::String => (new SealedBytes())->value((string) $number, 0, 100),
            self::Page => (new SealedBytes())->value((string) $number, 0, 4_096),
            self::Text => (new SealedBytes())->value((string) $number, 0, 100_000),
            self::Fields => ['id' => $number, 'name' => 'name ' . $number, 'price' => $number + 0.25, 'public' => true],
            self::Row => self::whole($number),
            self::Keys => self::keys($number),
            self::Rows => array_map(
                static fn(int $row): array => self::row($number * self::COUNT + $row),
                range(1, self::COUNT),
            ),
        };
    }

    /** @return array<string, bool|float|int|string> */
    private static function whole(int $number): array
    {
        $row = [
            ...self::row($number),
            'summary' => '',
            'section' => 'news',
            'comments' => $number % 100,
            'public' => true,
            'language' => 'en',
        ];
        $row['summary'] = substr(
            str_repeat(\sprintf('summary %d ', $number), 40),
            0,
            self::WHOLE - \strlen(serialize($row)) - self::DIGITS,
        );

        return $row;
    }

    /** @return array<string, string> */
    private static function keys(int $number): array
    {
        $values = [];
        for ($key = 1; $key <= self::COUNT; ++$key) {
            $values['key:' . $key] = \sprintf('text %d of %d', $key, $number);
        }

        return $values;
    }

    /** @return array{id: int, title: string, author: string, price: float, changed: string} */
    private static function row(int $id): array
    {
        return [
            'id' => $id,
            'title' => \sprintf('Title of article %d', $id),
            'author' => 'author ' . $id % 30,
            'price' => $id % 9000 + 0.25,
            'changed' => gmdate('Y-m-d H:i:s', 1_700_000_000 + $id),
        ];
    }
}
