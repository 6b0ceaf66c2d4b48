<?php

declare(strict_types=1);

namespace App;

/** Texts for URIs: lower-case letters, digits and single dashes. */
final readonly class Slug
{
    public const PATTERN = '[a-z0-9]+(?:-[a-z0-9]+)*';

    public const LONGEST = 60;

    public static function of(string $text): string
    {
        return trim(substr(preg_replace('/[^a-z0-9]+/', '-', strtolower($text)) ?? '', 0, self::LONGEST), '-');
    }

    /** @return list<string> the words of a title that can be searched for, each once */
    public static function words(string $title): array
    {
        preg_match_all('/[a-z0-9]{2,30}/', strtolower($title), $matches);

        return array_values(array_unique($matches[0]));
    }
}
