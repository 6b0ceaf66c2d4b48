<?php

declare(strict_types=1);

namespace Larder\Console\Warm;

use Larder\Page\Site;

/**
 * The pages of an access log that were asked for most, in the format `combined` of nginx and Apache.
 *
 * Only a GET that was answered with 200 or 304 counts, and only one whose page the site can have. Memory is bounded:
 * when there are too many pages, the rarest of those so far are forgotten.
 *
 * @internal
 */
final readonly class HottestPages
{
    private const LINE = '/^\S+ \S+ .*?\[[^\]]*\] "GET (\S+) HTTP\/[0-9.]+" (?:200|304) /';

    public function __construct(private Site $site, private int $most = 200_000) {}

    /**
     * @param iterable<string> $lines
     *
     * @return list<string> URIs, hottest first
     */
    public function of(iterable $lines, int $top): array
    {
        $counts = [];
        foreach ($lines as $line) {
            $uri = preg_match(self::LINE, $line, $found) === 1 ? $this->site->urls->pageUri($found[1]) : null;
            if ($uri !== null) {
                $counts[$uri] = ($counts[$uri] ?? 0) + 1;
                if (\count($counts) > $this->most) {
                    arsort($counts);
                    $counts = \array_slice($counts, 0, intdiv($this->most, 2), true);
                }
            }
        }
        arsort($counts);

        return array_map(strval(...), \array_slice(array_keys($counts), 0, $top));
    }
}
