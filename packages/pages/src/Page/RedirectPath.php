<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * Where a redirect leads to, as the path of a directory.
 *
 * nginx finds nothing in a file that it could send as a header. But it knows where a symbolic link ends, if that is
 * there (`$realpath_root`). So a redirect is a link to an empty directory whose path is the Location:
 *
 *     /news/4?a=1             p/news/4?a=1=
 *     https://example.org/    https/example.org/=
 *
 * The sign at the end keeps a slash there.
 *
 * @internal part of FilePageStore and NginxTemplates
 */
final readonly class RedirectPath
{
    private const LONGEST = 1000;

    /** Bytes of a file's name, with the sign. */
    private const LONGEST_NAME = 254;

    /** Directories that one may take. */
    public const MOST = 32;

    /** Expressions of nginx for such a path, and the Location in its variables. */
    public const LOCATIONS = [
        'p(?<larder_to>/.*)=$' => '$larder_to',
        '(?<larder_scheme>https?)(?<larder_to>/.*)=$' => '$larder_scheme:/$larder_to',
    ];

    /** @return string|null why no path can be made of it; null: one can */
    public static function objection(string $location): ?string
    {
        [$scheme, $rest] = self::taken($location);

        return match (true) {
            $scheme === '' => \sprintf('the Location "%s" begins with neither a slash nor http', $location),
            \strlen($location) > self::LONGEST
                => \sprintf('the Location has %d bytes, more than %d', \strlen($location), self::LONGEST),
            preg_match('/^[\x21-\x7E]+$/D', $location) !== 1
                => 'the Location has characters that no URI has',
            preg_match('~//|/\.{1,2}(?:/|$)~D', $rest) === 1
                => \sprintf('the Location "%s" has "//", "/./" or "/../"', $location),
            max(array_map(strlen(...), explode('/', $rest))) > self::LONGEST_NAME
                => \sprintf('a segment of the Location has more than %d bytes', self::LONGEST_NAME),
            self::directories($location) > self::MOST
                => \sprintf('the Location has %d slashes, more than %d', substr_count($rest, '/'), self::MOST - 2),
            default => null,
        };
    }

    /** @return int the directories that it takes, with that of the draft */
    public static function directories(string $location): int
    {
        return substr_count(self::of($location), '/') + 2;
    }

    /** @param string $location to which there is no objection() */
    public static function of(string $location): string
    {
        return implode('', self::taken($location)) . '=';
    }

    /** @param string $path of() a Location */
    public static function location(string $path): string
    {
        [$scheme, $rest] = explode('/', $path, 2) + ['', ''];

        return ($scheme === 'p' ? '' : $scheme . ':/') . '/' . substr($rest, 0, -1);
    }

    /** @return array{string, string} the first name, and what follows with its slash */
    private static function taken(string $location): array
    {
        return match (true) {
            preg_match('~^(https?):/(/[^/].*)$~Ds', $location, $found) === 1 => [$found[1], $found[2]],
            str_starts_with($location, '/') => ['p', $location],
            default => ['', ''],
        };
    }
}
