<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Console\Root\Holder;
use Larder\Console\Root\RootsProcess;
use Larder\Page\Files;
use Larder\Page\FileSystem;
use Larder\Page\FollowedPages;
use Larder\Page\PageDirectory;
use Larder\Page\Site;

/** @internal Looks at the page directory, as php-fpm's user sees it. */
final readonly class DirectoryChecks
{
    public const WRITES = 'php-fpm\'s user may write to the page directory';

    private const ALONE = 'not everybody may write to the page directory';

    /** In the mode of a directory: all users may write to it. */
    private const OTHERS = 0o002;

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
        $seen = is_dir($pages);
        if (!$seen && RootsProcess::here()?->told('isThere') === true) {
            return [$this->hidden($there, Holder::nameOf(posix_geteuid()))];
        }
        if (!$seen) {
            return [Check::failed($there, "make $pages, owned by php-fpm's user, at each boot (see production.md)")];
        }
        if ($report !== null && !$report->isThere) {
            return [$this->hidden($there, $report->user)];
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
        $kind = $this->directory->kind();
        $checks[] = Check::that(
            'no other host can have the page directory',
            !FileSystem::isShared($kind),
            "it is on a shared file system ($kind), where another host sees a page for a while after it was removed: "
                . 'let Site::$pages be a local directory, best a tmpfs',
        );
        $mode = (int) @fileperms($this->site->pages);
        $checks[] = ($mode & self::OTHERS) === 0
            ? Check::ok(self::ALONE)
            : Check::remark(self::ALONE, \sprintf(
                'all users of this host may (mode %o): whoever writes to it changes pages. chmod o-w %s, or let '
                    . 'nobody else enter the directory above',
                $mode & 0o7777,
                $this->site->pages,
            ));
        $left = $this->leftOver();
        $checks[] = $left === 0
            ? Check::ok('no draft is left over')
            : Check::remark('no draft is left over', "$left are, of renders that died; the page store removes them");

        return $checks;
    }

    private function hidden(string $check, string $user): Check
    {
        return Check::failed($check, "$user does not see {$this->site->pages}: may it enter each directory above, and "
            . 'does open_basedir or a mount of php-fpm\'s own hide it?');
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
