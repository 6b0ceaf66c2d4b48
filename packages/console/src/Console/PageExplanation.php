<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Page\PagePath;
use Larder\Page\Pages;
use Larder\Page\PageServers;
use Larder\Page\Policy;
use Larder\Page\Query;
use Larder\Page\Site;
use Larder\Sql\Ledger\SqlLedger;

/** @internal Explains a URI: its page and what it was made from, or why there is none. */
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
        $area = $this->site->urls->areaOf(explode('?', $uri, 2)[0]);
        $bucket = $area->ttl === null ? '' : '/@0000';
        if (!str_starts_with($uri, '/@') && $this->site->urls->page($bucket . $uri) === null) {
            throw Refused::because($this->whyNotCanonical($uri));
        }
        $keys = array_values(array_filter(
            $this->keys($uri),
            static fn(string $key): bool => $key === $uri || PagePath::own($key) === $uri || (
                $area->ttl !== null
                && preg_match('~^/@[^/]*' . preg_quote($uri, '~') . '$~D', PagePath::own($key)) === 1
            ),
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

    /** @return list<string> that may be the URI's pages */
    private function keys(string $uri): array
    {
        if ($this->isInFiles()) {
            return Pages::of($this->site)->directory()->keys();
        }
        $registered = $this->ledger->index()->pages($this->ledger->state()->read()['release']);
        $servers = PageServers::of($this->site);
        $there = array_filter(
            [$uri, PagePath::SHELL . $uri],
            static fn(string $key): bool => $servers?->at($key) !== null,
        );

        return array_values(array_unique([...$there, ...$registered]));
    }

    private function isInFiles(): bool
    {
        return $this->site->storage->isFiles();
    }

    /** As nginx takes parameters out that the site ignores. */
    private function withoutIgnored(string $uri): string
    {
        $ignored = Query::ignoring($this->site->urls->ignoredParameters);

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
        $isStored = false;
        foreach ($keys as $key) {
            $row = $this->ledger->index()->ofPage($key)[0] ?? null;
            $names = $this->ledger->index()->namesOf($key);
            $policy = Pages::of($this->site)->release()?->policyOf($row['route'] ?? '');
            [$where, $said] = $this->place($key);
            // Of a store other than memcached there is no state: it has what is registered.
            $isStored = $isStored || ($where['state'] ?? 'page') === 'page';
            $pages[] = ['key' => $key] + $where + [
                'registered' => $row !== null,
                'controller' => $row['route'] ?? null,
                'made_from' => $names,
                'declared' => $policy->tables ?? [],
                'ttl' => $policy?->ttl,
            ];
            $lines[] = "$key $said.";
            $lines[] = $row === null
                ? '  No ledger knows of it, so no change would drop it: run larder flush.'
                : '  Made by ' . $row['route'] . self::from($names, $policy);
            foreach ($names as $name) {
                $lines[] = '    ' . $name . (str_ends_with($name, '!') ? '  (dropped by a bulk change)' : '');
            }
        }

        return new CommandAnswer(
            ['uri' => $uri, 'stored' => $isStored, 'pages' => $pages],
            $lines,
        );
    }

    /** @return array{array<string, int|string|null>, string} where a page lies, as values and as text */
    private function place(string $key): array
    {
        if ($this->isInFiles()) {
            $file = Pages::of($this->site)->directory()->path($key);
            // A redirect is a link to an empty directory.
            $bytes = is_file($file) ? (int) @filesize($file) : 0;
            $found = ['file' => $file, 'bytes' => $bytes, 'generation' => (int) @filemtime($file)];

            return [$found, \sprintf('is stored: %s, %d bytes, generation %d', ...array_values($found))];
        }
        $servers = PageServers::of($this->site);
        if ($servers === null) {
            return [['file' => null], 'is registered; the site has a page store of its own'];
        }
        $found = $servers->at($key);
        $server = $found['server'] ?? $servers->addressOf($key);

        return [
            ($found ?? []) + ['server' => $server, 'state' => 'none', 'bytes' => 0, 'generation' => 0],
            match ($found['state'] ?? '') {
                'page' => \sprintf(
                    'is stored: on %s, %d bytes, generation %d',
                    $server,
                    $found['bytes'],
                    $found['generation'],
                ),
                'draft' => "is being made: its draft is on $server",
                default => "is not on $server any more, which displaced it or began anew: the next request makes it",
            },
        ];
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
        $area = $this->site->urls->areaOf(explode('?', $uri, 2)[0]);

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
