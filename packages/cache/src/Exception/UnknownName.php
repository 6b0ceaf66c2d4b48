<?php

declare(strict_types=1);

namespace Larder\Exception;

use InvalidArgumentException;
use Throwable;

/** A dependency, table, column or column set that is neither declared nor in the database's schema. */
final class UnknownName extends InvalidArgumentException implements LarderException
{
    /** @param list<string> $known what could have been meant */
    public static function of(string $kind, string $name, array $known): self
    {
        $near = self::near($name, $known);

        return new self(\sprintf(
            'There is no %s "%s". %s',
            $kind,
            $name,
            $near === [] ? 'There is none at all.' : 'Near names: ' . implode(', ', $near) . '.',
        ));
    }

    public static function unread(string $table, Throwable $cause): self
    {
        return new self(\sprintf(
            'Nothing is known of the table "%s", since what the database says of its tables could not be read: %s',
            $table,
            $cause->getMessage(),
        ), 0, $cause);
    }

    public static function malformed(string $name): self
    {
        return new self(
            \sprintf(
                '"%s" is not a dependency. Written are "news:4", "news?category=5", "news" and "news!", and "#any '
                    . 'text" for a word of no table.',
                $name,
            ),
        );
    }

    public static function noWord(string $name): self
    {
        return new self(\sprintf('A name has 1 to 500 bytes, this one %d.', \strlen($name)));
    }

    /**
     * @param list<string> $known
     *
     * @return list<string> the three nearest, by Levenshtein distance
     */
    private static function near(string $name, array $known): array
    {
        $distance = static fn(string $candidate): int => levenshtein(substr($name, 0, 255), substr($candidate, 0, 255));
        usort($known, static fn(string $a, string $b): int => [$distance($a), $a] <=> [$distance($b), $b]);

        return \array_slice($known, 0, 3);
    }
}
