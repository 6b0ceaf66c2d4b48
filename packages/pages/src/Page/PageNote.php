<?php

declare(strict_types=1);

namespace Larder\Page;

use DateTimeImmutable;
use Larder\Sql\Tracker\RecordedReads;

/**
 * The comment at the end of a page of HTML that says when it was made, and from what.
 *
 * @internal
 */
final readonly class PageNote
{
    /** Names that are told; of the others, their number. */
    private const NAMES = 20;

    public static function of(RecordedReads $reads, Policy $policy, DateTimeImmutable $now): string
    {
        $names = $reads->names();
        $note = json_encode([
            'made' => $now->format('Y-m-d\TH:i:s.vP'),
            'from' => \array_slice($names, 0, self::NAMES),
            'more' => max(0, \count($names) - self::NAMES),
            'ttl' => $policy->ttl,
        ], JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE);

        // A name has values of the data in it: nothing of them may end the comment.
        return "\n<!-- larder " . str_replace('--', '\u002d\u002d', $note) . " -->\n";
    }
}
