<?php

declare(strict_types=1);

namespace Larder\Page;

/** @internal How parts of pages are named, and where their URIs are. */
final readonly class PartName
{
    /** Behind the path of the site. No page can have such a URI, and nginx serves none to a visitor. */
    public const PLACE = '/@larder/part/';

    /** The same, where nginx lets PHP make a part that another process is making. */
    public const MAKE = '/@larder/make/';

    /** Bytes of a part's name: its key has the context and the time bucket too. */
    public const LONGEST = 80;

    /** PCRE of a part's name, without delimiters or anchors. */
    public const NAME = '(?:[A-Za-z0-9_:,+-][A-Za-z0-9._:,+-]*/)*[A-Za-z0-9_:,+-][A-Za-z0-9._:,+-]*';

    public static function isCanonical(string $name): bool
    {
        return \strlen($name) <= self::LONGEST && preg_match('~^' . self::NAME . '$~D', $name) === 1;
    }
}
