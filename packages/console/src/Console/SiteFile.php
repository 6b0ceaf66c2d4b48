<?php

declare(strict_types=1);

namespace Larder\Console;

use Error;
use Larder\Page\Exception\InvalidSite;
use Larder\Page\Site;

/** @internal The file that describes a site. */
final readonly class SiteFile
{
    /**
     * @throws Refused
     * @throws InvalidSite
     */
    public static function read(string $file): Site
    {
        if (!is_file($file)) {
            throw Refused::because(
                "There is no file \"$file\". Name the PHP file that returns the site by --site or LARDER_SITE",
            );
        }
        try {
            $site = (static fn(string $path): mixed => require $path)((string) realpath($file));
        } catch (Error $error) {
            throw InvalidSite::because(
                \sprintf('%s, in %s:%d', $error->getMessage(), $error->getFile(), $error->getLine()),
            );
        }

        return $site instanceof Site
            ? $site
            : throw InvalidSite::because(
                \sprintf('%s returns %s, not a %s', $file, get_debug_type($site), Site::class),
            );
    }
}
