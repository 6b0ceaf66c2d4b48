<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Dependency\SqlLedger;
use Larder\Page\PagePath;
use Larder\Page\Pages;
use Larder\Page\Policy;
use Larder\Page\Query;
use Larder\Page\Site;

/** Explains a URI: its page and what it was made from, or why there is none. */
final readonly class PageExplanation
{
    public function __construct(
        private Site $site,
        private SqlLedger $ledger,
    ) {}

    /** @throws Refused if the URI can have no page, or nothing is known of it */
    public function of(string $uri): CommandAnswer
    {
        $uri = $this->withoutIgnored($uri);
        $area = $this->site->areaOf(explode('?', $uri, 2)[0]);
        $bucket = $area->ttl === null ? '' : '/@0000';
        if (!str_starts_with($uri, '/@') && $this->site->page($bucket . $uri) === null) {
            throw Refused::because($this->whyNotCanonical($uri));
        }
        $keys = array_values(array_filter(
            Pages::of($this->site)->directory()->keys(),
            static fn(string $key): bool => $key === $uri
                || ($area->ttl !== null && preg_match('~^/@[^/]*' . preg_quote($uri, '~') . '$~D', $key) === 1),
        ));
        if ($keys !== []) {
            return $this->stored($uri, $keys);
        }
        $refusal = $this->refusal($uri);
        if ($refusal !== null) {
            $at = gmdate('Y-m-d\TH:i:s\Z', $refusal['at']);

            return self::notStored($uri, $refusal['reason'], $at);
        }
        // A page cache that is off may not even be able to note why.
        $hint = '';
        foreach ((new Examination($this->site))->whyNothingIsStored() as $check) {
            if ($check->state === 'failed') {
                return self::notStored($uri, "it is not so that $check->name: $check->remedy", null);
            }
            $hint = ". But $check->remedy";
        }
        throw Refused::because(
            "Nothing is known of $uri: no page is stored, and none was refused lately. Ask for it once and try again"
                . $hint,
        );
    }

    /** As nginx takes parameters out that the site ignores. */
    private function withoutIgnored(string $uri): string
    {
        $ignored = Query::ignoring($this->site->ignoredParameters);

        return $ignored === null ? $uri : (string) preg_replace(
            ["~\\?{$ignored}(?:&{$ignored})*$~D", "~\\?(?:{$ignored}&)+~", "~(?:&{$ignored})+$~D"],
            ['', '?', ''],
            $uri,
        );
    }

    private static function notStored(string $uri, string $reason, ?string $at): CommandAnswer
    {
        return new CommandAnswer(
            ['uri' => $uri, 'stored' => false, 'reason' => $reason, 'at' => $at],
            [\sprintf('%s is not stored: %s%s.', $uri, $reason, $at === null ? '' : " ($at)")],
        );
    }

    /** @param list<string> $keys */
    private function stored(string $uri, array $keys): CommandAnswer
    {
        $pages = [];
        $lines = [];
        foreach ($keys as $key) {
            $row = $this->ledger->index()->ofPage($key)[0] ?? null;
            $names = $this->ledger->index()->namesOf($key);
            $policy = Pages::of($this->site)->release()?->policyOf($row['route'] ?? '');
            $path = Pages::of($this->site)->directory()->path($key);
            $pages[] = $page = [
                'key' => $key,
                'file' => $path,
                'bytes' => (int) @filesize($path),
                'generation' => (int) @filemtime($path),
                'registered' => $row !== null,
                'controller' => $row['route'] ?? null,
                'made_from' => $names,
                'declared' => $policy->tables ?? [],
                'ttl' => $policy?->ttl,
            ];
            ['file' => $file, 'bytes' => $bytes, 'generation' => $generation] = $page;
            $lines[] = \sprintf('%s is stored: %s, %d bytes, generation %d.', $key, $file, $bytes, $generation);
            $lines[] = $row === null
                ? '  No ledger knows of it, so no change would drop it: run larder flush.'
                : '  Made by ' . $row['route'] . self::from($names, $policy);
            foreach ($names as $name) {
                $lines[] = '    ' . $name . (str_ends_with($name, '!') ? '  (dropped by a bulk change)' : '');
            }
        }

        return new CommandAnswer(['uri' => $uri, 'stored' => true, 'pages' => $pages], $lines);
    }

    /** @param list<string> $names that were recorded; a page with a ttl has none, since no change drops it */
    private static function from(array $names, ?Policy $policy): string
    {
        $tables = implode(', ', $policy->tables ?? []);

        return match (true) {
            $names !== [] => ' from:',
            $policy === null || $tables === '' => ', which declares no table: it stays until its ttl or a deploy.',
            $policy->ttl !== null => " from $tables: its ttl of {$policy->ttl} s ends it, a change does not.",
            default => ", which declares $tables and was seen to read nothing: it stays until a deploy.",
        };
    }

    /** @return array{reason: string, at: int}|null */
    private function refusal(string $uri): ?array
    {
        $refusals = Pages::of($this->site)->refusals();
        $area = $this->site->areaOf(explode('?', $uri, 2)[0]);

        return $refusals->of($uri) ?? ($area->ttl === null ? null : $refusals->latest($uri));
    }

    private function whyNotCanonical(string $uri): string
    {
        $path = explode('?', $uri, 2)[0];
        $query = substr($uri, \strlen($path) + 1);
        if (PagePath::isCanonical($path) && $query !== '') {
            return \sprintf('%s can be no page: the site allows no query "%s" on %s', $uri, $query, $path);
        }

        return \sprintf(
            '%s can be no page: a canonical URI has at most %d of the characters A-Z a-z 0-9 . _ : , + - and /,'
            . ' escapes in capitals (%%C3%%B6) for others but / ? # %% @ and \\, no "//" and no segment that begins'
            . ' with a dot',
            $uri,
            PagePath::LONGEST,
        );
    }
}
