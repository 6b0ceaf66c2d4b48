<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Sql\Exception\PageStoreFailed;

/**
 * Ends the pages of a followed site by themselves when nobody reads the database's log any more.
 *
 * nginx cannot read a follower's sign of life. So it finds pages only by a link that is named for the present second of
 * Unix time, and so does PHP. The follower makes the links of the next maxLag seconds after each sign that it has seen
 * in the log. If it dies or is stopped, at whatever step, the links that are there run out.
 *
 * @internal
 */
final readonly class FollowedPages
{
    /** @param string $pages directory of the pages, as Site::$pages */
    public function __construct(private string $pages) {}

    /** @return self|null null: pages may always be served, since the site is not followed */
    public static function of(Site $site): ?self
    {
        return $site->serving->followed ? new self($site->pages) : null;
    }

    /** Where the link of a second is, which leads to the directory of the pages. */
    public function link(int|string $second): string
    {
        return "{$this->pages}/followed/$second";
    }

    /** Whether pages may be served now. */
    public function areServed(): bool
    {
        clearstatcache(true, $link = $this->link(time()));

        return is_dir($link);
    }

    /**
     * Lets pages be served until a time, or until less than that if it was later before.
     *
     * @param float $time Unix time up to which the pages are known to be right; the second that it is in counts whole
     *
     * @throws PageStoreFailed if a link cannot be made
     */
    public function serveUntil(float $time): void
    {
        $now = time();
        $last = (int) $time;
        $directory = \dirname($this->link(0));
        if (!is_dir($directory) && !@mkdir($directory, 0o755) && !is_dir($directory)) {
            throw PageStoreFailed::during('make', $directory, self::cause());
        }
        for ($second = $now; $second <= $last; ++$second) {
            $link = $this->link($second);
            // Another follower may be faster.
            if (@readlink($link) === false && !@symlink('..', $link)) {
                $failed = PageStoreFailed::during('make', $link, self::cause());
                @readlink($link) !== false || throw $failed;
            }
        }
        // One from a clock that was set back would be found when its second comes again.
        foreach ((array) @scandir($directory, SCANDIR_SORT_NONE) as $name) {
            if (\is_string($name) && ctype_digit($name) && ($name < $now - 1 || $name > $last)) {
                @unlink($this->link($name));
            }
        }
    }

    private static function cause(): string
    {
        return error_get_last()['message'] ?? 'unknown reason';
    }
}
