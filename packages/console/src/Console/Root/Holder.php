<?php

declare(strict_types=1);

namespace Larder\Console\Root;

/**
 * Who, beside root, can change what a path leads to: whoever has the file, a directory above it, or one of the links
 * on the way, or may write there. It needs no other class, since `larder` asks it before there is an autoloader.
 *
 * The write bit of the group counts whatever the group is: it is also the mask of what access lists allow.
 *
 * @internal
 */
final readonly class Holder
{
    public const REFUSAL = 'Root runs no code that somebody else may have written';

    private const STICKY = 0o1000;

    /** Write bits of the group and of all others. */
    private const GROUP = 0o020;
    private const OTHERS = 0o002;

    private const LINKS = 40;

    /** @param int|null $user 0: root alone; null: several */
    private function __construct(
        public ?int $user,
        /** The file, directory or link by which he can. */
        public string $place,
        public bool $isThere,
        private string $how = '',
    ) {}

    /** @param string $path also of what is not there: then who could make it */
    public static function of(string $path): self
    {
        clearstatcache();
        $waiting = self::names(str_starts_with($path, '/') ? $path : getcwd() . '/' . $path);
        $at = '';
        $isSticky = false;
        for ($links = 0; ($name = array_shift($waiting)) !== null;) {
            if ($name === '..') {
                $at = \dirname($at) === '/' ? '' : \dirname($at);
                continue;
            }
            $place = $name === '' ? '/' : "$at/$name";
            $status = @lstat($place);
            if ($status === false) {
                return $isSticky
                    ? new self(null, $at, false, 'everybody may make files in it')
                    : new self(0, $place, false);
            }
            if ($status['uid'] !== 0) {
                return new self($status['uid'], $place, true, 'it belongs to ' . self::nameOf($status['uid']));
            }
            $kind = $status['mode'] & 0o170000;
            if ($kind === 0o120000) {
                $target = ++$links > self::LINKS ? false : @readlink($place);
                if ($target === false) {
                    return new self(null, $place, true, 'it is a link that leads nowhere');
                }
                $at = str_starts_with($target, '/') ? '' : $at;
                $waiting = [...self::names($target), ...$waiting];
                continue;
            }
            // In a directory such as /tmp nobody takes the name from what is root's.
            $isSticky = $kind === 0o040000 && ($status['mode'] & self::STICKY) !== 0
                && ($status['mode'] & (self::GROUP | self::OTHERS)) !== 0;
            if (!$isSticky && ($status['mode'] & self::OTHERS) !== 0) {
                return new self(null, $place, true, 'everybody may write to it');
            }
            if (!$isSticky && ($status['mode'] & self::GROUP) !== 0) {
                return new self(null, $place, true, 'its group may write to it');
            }
            $at = $name === '' ? '' : $place;
        }

        return new self(0, $at, true);
    }

    /** @return string|null why root must not run what is in the file; null: nobody else can have written it */
    public static function objection(string $file): ?string
    {
        if (str_starts_with($file, 'phar://')) {
            // A program in one file is that file.
            $file = substr($file, \strlen('phar://'));
            while (!is_file($file) && $file !== '/') {
                $file = \dirname($file);
            }
        }
        $holder = self::of($file);

        return $holder->user === 0 ? null : \sprintf(
            '%s: %s, since of %s %s',
            self::REFUSAL,
            $file,
            $holder->place,
            $holder->how,
        );
    }

    public static function nameOf(int $user): string
    {
        $entry = \function_exists('posix_getpwuid') ? posix_getpwuid($user) : false;

        return $entry === false ? "the user $user" : $entry['name'];
    }

    /** @return list<string> an empty one stands for the root */
    private static function names(string $path): array
    {
        $names = array_values(array_filter(explode('/', $path), static fn(string $name): bool
            => $name !== '' && $name !== '.'));

        return str_starts_with($path, '/') ? ['', ...$names] : $names;
    }
}
