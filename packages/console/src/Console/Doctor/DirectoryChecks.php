<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Page\Files;
use Larder\Page\FollowedPages;
use Larder\Page\PageDirectory;
use Larder\Page\Site;

/** @internal Looks at the page directory, as php-fpm's user sees it. */
final readonly class DirectoryChecks
{
    public const WRITES = 'php-fpm\'s user may write to the page directory';

    /** Seconds after which a draft is left over: its renderer cannot be at work. */
    private const LEFT_OVER = 3600;

    /** Variants of a page that are written beside the old ones: plain and compressed. */
    private const VARIANTS = 2;

    public function __construct(
        private Site $site,
        private PageDirectory $directory,
    ) {}

    /**
     * @param ProcessReport|null $report of a process of php-fpm's user; null: there is none
     * @param int                $used   bytes that the ledger knows of
     *
     * @return non-empty-list<Check> if the first one failed, there is no page directory
     */
    public function checks(?ProcessReport $report, int $used): array
    {
        $pages = $this->site->pages;
        $there = 'the page directory is there';
        if (!is_dir($pages)) {
            return [Check::failed($there, "make $pages, owned by php-fpm's user, at each boot (see production.md)")];
        }
        if ($report !== null && !$report->isThere) {
            $remedy = "{$report->user} does not see $pages: may it enter each directory above, and does open_basedir "
                . 'or a mount of php-fpm\'s own hide it?';

            return [Check::failed($there, $remedy)];
        }
        $checks = [Check::ok($there)];
        $checks[] = match (true) {
            $report === null => Check::remark(self::WRITES, 'it is not known: name its user by --user, as root'),
            $report->user === 'root' && !$report->isPhpFpm() => Check::remark(
                self::WRITES,
                "$pages belongs to root: give it to php-fpm's user, unless that is root",
            ),
            default => Check::that(
                self::WRITES,
                $report->refusal === '',
                "{$report->user} may not: {$report->refusal}. chown -R {$report->user} $pages",
            ),
        };
        $followed = FollowedPages::of($this->site);
        if ($followed !== null) {
            $checks[] = Check::that(
                'a follower lets pages be served',
                $followed->areServed(),
                "the site is followed, and no larder follow with $pages in its pages is at work: each page is made"
                    . ' anew. larder doctor --follow=FILE says more',
            );
        }
        if (!$this->site->storage->isFiles()) {
            // It has what belongs to this host: counters and refusals.
            return $checks;
        }
        $checks = [...$checks, ...$this->room($used, $report !== null && $report->isFull)];
        $checks[] = $this->directory->isInMemory()
            ? Check::ok('the page directory is in memory')
            : Check::remark(
                'the page directory is in memory',
                'on a disk a power loss can bring back pages that a change had removed: use a tmpfs such as /run, or '
                    . 'empty it before nginx starts',
            );
        $left = $this->leftOver();
        $checks[] = $left === 0
            ? Check::ok('no draft is left over')
            : Check::remark('no draft is left over', "$left are, of renders that died; the page store removes them");

        return $checks;
    }

    /** @return non-empty-list<Check> */
    private function room(int $used, bool $isFull): array
    {
        $pages = $this->site->pages;
        $holds = 'the page directory\'s file system can hold Limits::$bytes';
        $total = (int) @disk_total_space($pages);
        if ($total < $this->site->limits->bytes) {
            return [Check::failed($holds, \sprintf(
                'it has %s in all and Limits::$bytes is %s: make it larger (a tmpfs by size=), or Limits::$bytes '
                    . 'smaller',
                self::megabytes($total),
                self::megabytes($this->site->limits->bytes),
            ))];
        }
        $free = (int) @disk_free_space($pages);
        $needed = min(self::VARIANTS * $this->site->limits->pageBytes, max(0, $this->site->limits->bytes - $used));

        return [
            Check::ok($holds),
            Check::that('the page directory\'s file system has room', !$isFull && $free >= $needed, \sprintf(
                '%s are left, beside %s of pages: something else fills it',
                self::megabytes($free),
                self::megabytes($used),
            )),
        ];
    }

    private function leftOver(): int
    {
        $files = new Files();
        $drafts = $this->site->pages . '/draft';
        $isOld = static fn(string $name): bool => ($files->age("$drafts/$name") ?? 0) > self::LEFT_OVER;

        return is_readable($drafts) ? \count(array_filter($files->names($drafts), $isOld)) : 0;
    }

    private static function megabytes(int $bytes): string
    {
        return \sprintf('%.1f MB', $bytes / (1 << 20));
    }
}
