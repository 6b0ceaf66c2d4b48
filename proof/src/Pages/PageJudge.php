<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

/**
 * Judges a page by what the reader's own SELECTs saw just before and just after the GET.
 *
 * A page older than the first is stale. One newer than the second shows data that was never committed. An item that did
 * not change between the two must be on exactly the lists that it belongs to. A page of code before the last deployment
 * is stale too, and one that shows less than what the last flush followed.
 */
final readonly class PageJudge
{
    /**
     * @param array<int, ItemState> $before
     * @param array<int, ItemState> $after
     *
     * @return string|null what is wrong, null: nothing
     */
    public static function of(string $uri, string $text, array $before, array $after): ?string
    {
        $shown = HotItems::versions($text);
        foreach ($before as $id => $state) {
            $wrong = self::ofItem($uri, $id, $shown[$id] ?? null, $state, $after[$id] ?? $state)
                ?? self::ofComments($uri, $id, $text, $state, $after[$id] ?? $state);
            if ($wrong !== null) {
                return $uri . ' ' . $wrong;
            }
        }

        return null;
    }

    /**
     * @param int $release that the code of the page must be of at least
     * @param int $write   of the SQL console, that the page must show at least
     *
     * @return string|null what is wrong, null: nothing
     */
    public static function ofMarks(string $uri, string $text, int $release, int $write): ?string
    {
        $of = SiteCode::isShownAt($uri) ? SiteCode::shown($text) ?? -1 : PHP_INT_MAX;
        $shown = HotItems::lastWrite($text);

        return match (true) {
            $release > 0 && $of < $release => \sprintf('%s is of release %d, but %d was deployed', $uri, $of, $release),
            $shown < $write => \sprintf('%s shows write %d, but %d was flushed', $uri, $shown, $write),
            default => null,
        };
    }

    private static function ofItem(string $uri, int $id, ?int $shown, ItemState $before, ItemState $after): ?string
    {
        $unchanged = $before->version === $after->version;
        $expected = self::belongs($uri, $id, $before);
        if ($shown === null) {
            return $expected && ($unchanged || self::isFixed($uri, $id)) ? \sprintf('lacks item %d', $id) : null;
        }
        if ($shown < $before->version) {
            return \sprintf('shows version %d of item %d, but %d was committed', $shown, $id, $before->version);
        }
        if ($shown > $after->version) {
            return \sprintf(
                'shows version %d of item %d, which was not committed: %d is',
                $shown,
                $id,
                $after->version,
            );
        }

        return !$expected && $unchanged ? \sprintf('shows item %d, which is in %s', $id, $before->category) : null;
    }

    private static function ofComments(string $uri, int $id, string $text, ItemState $before, ItemState $after): ?string
    {
        if ($uri !== '/news/' . $id) {
            return null;
        }
        $shown = HotItems::comments($text)[$id] ?? 0;

        return $shown < $before->comments || $shown > $after->comments
            ? \sprintf(
                'shows comment %d of item %d, but %d to %d were committed',
                $shown,
                $id,
                $before->comments,
                $after->comments,
            )
            : null;
    }

    private static function belongs(string $uri, int $id, ItemState $state): bool
    {
        return match (true) {
            str_starts_with($uri, '/category/') => $uri === '/category/' . $state->category,
            str_starts_with($uri, '/feed/') => $uri === '/feed/' . $state->category,
            default => self::isFixed($uri, $id),
        };
    }

    /** Pages that always show the item: its own, and these two, since the hot items are the newest ones. */
    private static function isFixed(string $uri, int $id): bool
    {
        return $uri === '/' || $uri === '/feed' || $uri === '/news/' . $id;
    }
}
