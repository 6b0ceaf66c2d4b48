<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Dependency\SqlLedger;
use Larder\Page\PagePath;
use Larder\Page\Pages;
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
        if ($refusal === null) {
            throw Refused::because(
                "Nothing is known of $uri: no page is stored, and none was refused lately. Ask for it once and try "
                    . "again",
            );
        }
        $at = gmdate('Y-m-d\TH:i:s\Z', $refusal['at']);

        return new CommandAnswer(
            ['uri' => $uri, 'stored' => false, 'reason' => $refusal['reason'], 'at' => $at],
            [\sprintf('%s is not stored: %s (%s).', $uri, $refusal['reason'], $at)],
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
            $path = Pages::of($this->site)->directory()->path($key);
            $pages[] = $page = [
                'key' => $key,
                'file' => $path,
                'bytes' => (int) @filesize($path),
                'generation' => (int) @filemtime($path),
                'registered' => $row !== null,
                'controller' => $row['route'] ?? null,
                'made_from' => $names,
            ];
            ['file' => $file, 'bytes' => $bytes, 'generation' => $generation] = $page;
            $lines[] = \sprintf('%s is stored: %s, %d bytes, generation %d.', $key, $file, $bytes, $generation);
            $from = $names === [] ? ' from no table: it stays until its ttl or a deploy.' : ' from:';
            $lines[] = $row === null
                ? '  No ledger knows of it, so no change would drop it: run larder flush.'
                : '  Made by ' . $row['route'] . $from;
            foreach ($names as $name) {
                $lines[] = '    ' . $name . (str_ends_with($name, '!') ? '  (dropped by a bulk change)' : '');
            }
        }

        return new CommandAnswer(['uri' => $uri, 'stored' => true, 'pages' => $pages], $lines);
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
            . ' no "//" and no segment that begins with a dot',
            $uri,
            PagePath::LONGEST,
        );
    }
}
