<?php

declare(strict_types=1);

namespace Larder\Code;

/**
 * Which paths may be in a release. Whoever lays down files by a list that came from elsewhere asks this first.
 *
 * @internal
 */
final readonly class Paths
{
    private const LONGEST = 1024;

    /** What nearly all paths are: few letters, digits, - _ and . in parts of which none begins with a dot. */
    private const PLAIN = '~^[A-Za-z0-9_-][A-Za-z0-9_.-]*+(?:/[A-Za-z0-9_-][A-Za-z0-9_.-]*+)*+$~D';
    private const SHORT = 255;

    /** @return string|null why the path may not be in a release; null: it may */
    public static function objection(string $path): ?string
    {
        return match (true) {
            \strlen($path) <= self::SHORT && preg_match(self::PLAIN, $path) === 1 => null,
            $path === '' => 'is empty',
            \strlen($path) > self::LONGEST => 'is longer than ' . self::LONGEST . ' bytes',
            preg_match('//u', $path) !== 1 => 'is not UTF-8',
            preg_match('/[\x00-\x1f\x7f\\\\]/', $path) === 1 => 'has a control character or a backslash',
            $path[0] === '/' => 'is absolute',
            preg_match('~(?:^|/)(?:\.{0,2})(?:/|$)~D', $path) === 1 => 'has a part that is empty, "." or ".."',
            preg_match('~[^/]{256}~', $path) === 1 => 'has a part of more than 255 bytes',
            default => null,
        };
    }

    /**
     * @param string $path of the link
     *
     * @return string|null why the link may not be in a release; null: it leads to a place inside
     */
    public static function objectionToLink(string $path, string $target): ?string
    {
        if ($target === '' || $target[0] === '/') {
            return 'leads to an absolute path';
        }
        if (preg_match('/[\x00-\x1f\x7f\\\\]/', $target) === 1 || preg_match('//u', $target) !== 1) {
            return 'leads to a path that is not UTF-8, or has a control character or a backslash';
        }
        // ".." behind the name of another link would lead elsewhere than it reads.
        preg_match('~^(?:\.\./)*(?:\.\.$)?~', $target, $up);
        $below = substr($target, \strlen($up[0] ?? ''));
        if (preg_match('~(?:^|/)\.\.(?:/|$)~D', $below) === 1) {
            return 'leads to a path with ".." in its middle';
        }

        return substr_count($up[0] ?? '', '..') > substr_count($path, '/') ? 'leads out of the release' : null;
    }

    public static function isRelease(string $id): bool
    {
        return preg_match('/^[A-Za-z0-9][A-Za-z0-9.-]{0,63}$/D', $id) === 1;
    }

    public static function isName(string $name): bool
    {
        return preg_match('/^[A-Za-z0-9_-]{1,40}$/D', $name) === 1;
    }
}
