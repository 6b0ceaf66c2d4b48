<?php

declare(strict_types=1);

namespace Larder\Console;

use DateTimeImmutable;
use Larder\Dependency\LedgerReport;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\SqlIndex;
use Larder\Page\PageDirectory;
use Larder\Page\PagePath;
use Larder\Page\Refusals;
use Larder\Page\Release;
use Larder\Page\Site;
use Larder\Page\TimeBucket;

/**
 * A URI: its page, what it was made from, or why it is not there.
 *
 * @phpstan-type Explained array{key: string, file: string, bytes: int, generation: int, age: int, registered: bool, route: string|null, expires: string|null, tables: list<string>, made_from: list<string>}
 */
final readonly class PageExplanation
{
    private PageDirectory $directory;

    public function __construct(
        private Site $site,
        private RecordingPdo $database,
    ) {
        $this->directory = new PageDirectory($site->pages);
    }

    /** @throws Refused if the URI can be no page, or nothing is known of it */
    public function of(string $uri): CommandAnswer
    {
        $this->check($uri);
        $pages = array_values(array_filter(array_map($this->page(...), $this->directory->keysOf($uri))));
        if ($pages !== []) {
            return new CommandAnswer(
                ['uri' => $uri, 'stored' => true, 'pages' => $pages],
                array_merge(...array_map(self::lines(...), $pages)),
            );
        }
        $refusal = $this->refusal($uri);
        if ($refusal === null) {
            throw Refused::because(\sprintf('Nothing is known of %s: no page is stored, and none was refused lately. %s', $uri, $this->whatToDo()));
        }

        return new CommandAnswer(
            ['uri' => $uri, 'stored' => false, 'reason' => $refusal['reason'], 'at' => Wording::time($refusal['at'])],
            [\sprintf('%s is not stored. It was last refused at %s: %s.', $uri, Wording::time($refusal['at']), $refusal['reason'])],
        );
    }

    /** @throws Refused if no page can have this URI */
    private function check(string $uri): void
    {
        $path = explode('?', $uri, 2)[0];
        if (str_starts_with($path, '/@')) {
            throw Refused::because(\sprintf('%s can be no page: time buckets are for nginx to put in front. Ask without the bucket, and each that is stored is listed', $uri));
        }
        if (!PagePath::isCanonical($path)) {
            throw Refused::because(\sprintf('%s can be no page: a canonical path has at most %d of the characters A-Z a-z 0-9 . _ : , + - and /, no "//" and no segment that begins with a dot', $uri, PagePath::LONGEST));
        }
        if (str_contains($uri, '?') && !$this->site->allowsQuery($uri)) {
            throw Refused::because(\sprintf('%s can be no page: the site allows no query "%s" on %s. %s', $uri, substr($uri, \strlen($path) + 1), $path, $this->allowed()));
        }
        $ttl = $this->site->areaOf($path)->ttl;
        $bucket = $ttl === null ? '' : '/@' . (new TimeBucket($ttl))->of(new DateTimeImmutable());
        if (PagePath::of($bucket . $uri, $this->site) === null) {
            throw Refused::because(\sprintf('%s can be no page: %s is longer than %d bytes', $uri, $bucket === '' ? 'it' : 'with its time bucket it', PagePath::LONGEST));
        }
    }

    private function allowed(): string
    {
        $allowed = [];
        foreach ($this->site->queries as $query) {
            $pairs = array_map(static fn(string $name, string $value): string => "$name=$value", array_keys($query->parameters), $query->parameters);
            $allowed[] = $query->path . '?' . implode('&', $pairs);
        }

        return $allowed === [] ? 'It allows no query at all' : 'Allowed are, as expressions: ' . implode(', ', $allowed);
    }

    /** @return Explained|null null: it went since the directory was read */
    private function page(string $key): ?array
    {
        $file = $this->directory->page($key);
        if ($file === null) {
            return null;
        }
        $registered = (new LedgerReport($this->database))->registered($key);
        $names = (new SqlIndex($this->database))->namesOf($key);
        $expires = $registered['expires'] ?? null;

        return [
            'key' => $key,
            ...$file,
            'registered' => $registered !== null,
            'route' => $registered['route'] ?? null,
            'expires' => $expires === null ? null : Wording::time($expires),
            'tables' => array_values(array_unique(array_map(static fn(string $name): string => substr($name, 0, strcspn($name, ':?!')), $names))),
            'made_from' => $names,
        ];
    }

    /**
     * @param Explained $page
     *
     * @return list<string>
     */
    private static function lines(array $page): array
    {
        $lines = [
            \sprintf('%s is stored: %s, %s, generation %d, made %s ago.', $page['key'], $page['file'], Wording::bytes($page['bytes']), $page['generation'], Wording::span($page['age'])),
        ];
        if (!$page['registered']) {
            return [...$lines, '  The ledger does not know it, so no change would drop it: run larder flush.'];
        }
        $lines[] = '  Made by ' . $page['route'] . ($page['expires'] === null ? '.' : \sprintf(', no longer asked for after %s.', $page['expires']));
        if ($page['made_from'] === []) {
            return [...$lines, $page['expires'] === null ? '  It read no table: only a deployment or a flush drops it.' : '  No change drops it: its area is ttl.'];
        }
        $lines[] = '  It was made from the following, and dropped by:';

        return [...$lines, ...array_map(static fn(string $name): string => \sprintf('    %-30s %s', $name, Wording::cause($name)), $page['made_from'])];
    }

    /** @return array{reason: string, at: int}|null */
    private function refusal(string $uri): ?array
    {
        $refusals = new Refusals($this->site->pages . '/refused');

        return $this->site->areaOf(explode('?', $uri, 2)[0])->ttl === null ? $refusals->of($uri) : $refusals->latest($uri);
    }

    private function whatToDo(): string
    {
        $release = Release::load($this->site->list);
        $off = $release === null ? 'no release is deployed' : $release->mismatch($this->site);

        return $off === null ? 'It was not asked for, or a change dropped it: ask for it once and try again' : \sprintf('Page caching is off: %s. Run larder deploy', $off);
    }
}
