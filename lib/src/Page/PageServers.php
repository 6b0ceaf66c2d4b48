<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\PageStoreFailed;
use Larder\Store\Net\ConnectionFailed;
use Larder\Store\Net\MetaConnection;

/**
 * The memcached servers of a site's pages, for people who look at them. It changes nothing.
 *
 * @internal for the program `larder`
 */
final readonly class PageServers
{
    /** Nanoseconds for the answers of one server. */
    private const PATIENCE = 300_000_000;

    /** Bytes of the list of keys that are looked at. A server may have millions. */
    private const LISTED = 262_144;

    private MemcachedNodes $nodes;

    /** @param non-empty-list<string> $servers */
    private function __construct(
        private array $servers,
        private string $prefix,
        private ?GuardedServers $guarded,
    ) {
        $this->nodes = new MemcachedNodes($servers, $guarded);
    }

    /** @return self|null null: the pages of this site are not in memcached */
    public static function of(Site $site): ?self
    {
        return $site->storage->memcached === []
            ? null
            : new self($site->storage->memcached, MemcachedPageStore::prefix($site->name), GuardedServers::of($site));
    }

    /** @return non-empty-list<ServerReport> in the order of the site */
    public function reports(): array
    {
        $out = $this->guarded?->out() ?? [];

        return array_map(
            fn(string $address): ServerReport => \in_array($address, $out, true)
                ? new ServerReport($address, 'larder guard takes it back when it answers', true)
                : $this->report($address),
            $this->servers,
        );
    }

    /** The address of the server that has a key. */
    public function addressOf(string $key): string
    {
        return $this->servers[$this->nodes->of($this->prefix . $key)] ?? '';
    }

    /**
     * What is at the key of a page.
     *
     * @return array{server: string, state: 'page'|'draft', bytes: int, generation: int}|null null: nothing
     *
     * @throws PageStoreFailed if its server does not answer
     */
    public function at(string $key): ?array
    {
        $index = $this->nodes->of($this->prefix . $key);
        $reply = $this->nodes->tell([$index => "mg {$this->key($key)} v\r\n"])[$index][0] ?? null;
        if ($reply === null || $reply->code !== 'VA') {
            return null;
        }
        $found = preg_match('/^etag: "([0-9a-f]+)-/mi', $reply->value, $etag) === 1;

        return [
            'server' => $this->servers[$index] ?? '',
            'state' => $reply->value === '' ? 'draft' : 'page',
            'bytes' => \strlen($reply->value),
            'generation' => $found ? (int) hexdec($etag[1]) : 0,
        ];
    }

    /** Whether a server has a page at this key, be it the key's own server or not. */
    public function hasPage(string $address, string $key): bool
    {
        $index = (int) array_search($address, $this->servers, true);
        $answer = $this->nodes->ask([$index => "mg {$this->key($key)} s\r\n"])[$index];
        $size = \is_array($answer) ? ($answer[0]->flags[0] ?? 's0') : 's0';

        return (int) substr($size, 1) > 0;
    }

    /**
     * Some of the keys that a server has.
     *
     * @return array{list<string>, list<string>} keys of pages and drafts of this site, as the ledger has them; and what
     *     else is there
     */
    public function some(string $address): array
    {
        $own = $others = [];
        preg_match_all('/^key=(\S+) /m', self::listed($address), $keys);
        foreach (array_map(rawurldecode(...), $keys[1]) as $key) {
            $isOwn = str_starts_with($key, $this->prefix . '/');
            if ($isOwn) {
                $own[] = str_replace('%25', '%', substr($key, \strlen($this->prefix)));
            } elseif ($key !== $this->prefix . '@') {
                $others[] = $key;
            }
        }

        return [$own, $others];
    }

    private function report(string $address): ServerReport
    {
        $node = new MemcachedNodes([$address], silence: 0, patience: self::PATIENCE);
        $replies = $node->ask(["stats\r\nstats settings\r\nmg {$this->prefix}@ v\r\n"])[0];
        if (!\is_array($replies)) {
            return new ServerReport($address, $replies->cause);
        }
        $parts = [[], []];
        $part = 0;
        $life = null;
        foreach ($replies as $reply) {
            if ($reply->code === 'STAT' && $part < 2) {
                $parts[$part][$reply->flags[0] ?? ''] = implode(' ', \array_slice($reply->flags, 1));
            } elseif ($reply->code === 'END') {
                ++$part;
            } elseif ($reply->code === 'VA') {
                $life = explode(' ', $reply->value)[0];
            }
        }

        return new ServerReport($address, null, false, $parts[0], $parts[1], $life);
    }

    private function key(string $page): string
    {
        return $this->prefix . str_replace('%', '%25', $page);
    }

    /** The beginning of the list that the server makes of its keys; empty: it makes none. */
    private static function listed(string $address): string
    {
        $seen = '';
        $isWhole = static function (string $text) use (&$seen): bool {
            $seen = $text;

            return \strlen($text) >= self::LISTED || str_ends_with($text, "END\r\n");
        };
        try {
            $deadline = (int) hrtime(true) + self::PATIENCE;
            MetaConnection::text($address, 'lru_crawler metadump all', $isWhole, $deadline);
        } catch (ConnectionFailed) {
            // What came is enough to look at.
        }

        return $seen;
    }
}
