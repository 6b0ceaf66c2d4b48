<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Page\Lease\Lease;
use Larder\Page\Lease\Leases;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Sql\Ledger\RegisteredPages;
use Larder\Store\Net\Socket;

/**
 * Pages in memcached servers of their own, for any number of web servers: algorithm D+.
 *
 *     <prefix>@       the life of the ledger that the pages on this server belong to, and the highest generation
 *     <prefix><key>   a page: a whole HTTP head and the compressed body; or 0 bytes: a draft, which nginx takes for a
 *                     miss
 *     <prefix>~…      changed pages that are still served, see StaleItems
 *
 * A draft is a stub at the page's own key, made under the ledger's lock, and its name is the stub's CAS number.
 * Publishing is a compare-and-swap on the connection that made the stub; a change deletes whatever is at the key. So
 * the swap of a renderer that comes too late fails, whatever was lost, killed or delayed. A change whose pages lie on
 * a server that does not answer fails.
 *
 * A part is its body alone, since nginx reads no head where it puts parts in. It takes an empty value for an empty
 * part, so the stub of a part is an SSI include that leads to PHP.
 *
 * nginx reads the values by srcache and memc. It believes a head, so that of a page has neither Content-Length nor what
 * belongs to a connection, and always the blank line at its end.
 *
 * @internal
 */
final class MemcachedPageStore implements KeepsStale, Leases, PageStore
{
    /** Of a key as memcached has it, without the two bytes more of a stale page. */
    private const LONGEST_KEY = 248;

    /** Of what srcache reads before it gives up: srcache_header_buffer_size, which is 4,096 on most machines. */
    private const LONGEST_HEAD = 3500;

    /** A change of more pages of one server empties it. */
    private const MANY = 5000;

    private const PLACE = 'memcached ';

    private const REASONS = [
        200 => 'OK', 301 => 'Moved Permanently', 308 => 'Permanent Redirect', 404 => 'Not Found', 410 => 'Gone',
    ];

    private readonly MemcachedNodes $nodes;

    /** Null where a change ends each page at once. */
    private readonly ?StaleItems $stale;

    /** @var array<string, array{int, int, string}> server, connection and CAS number of the stub by draft */
    private array $stubs = [];

    /** @var array<string, true> keys that this process has the lease of, and has not made a stub of its own at */
    private array $won = [];

    /** Of the ledger that asked last. */
    private string $life = '';

    /**
     * @param non-empty-list<string> $servers as Storage::$memcached has them
     * @param string                 $prefix  of all keys, without spaces, controls or `%`
     * @param positive-int           $seconds after which a stub ends by itself, and the next comer makes the page
     * @param GuardedServers|null    $guarded says which servers are out
     * @param StaleAreas             $areas   where a changed page is still served
     * @param (Closure(string, int): Socket)|null $connect as MetaConnection has it
     * @param int $patience milliseconds, as Storage::$patience
     */
    public function __construct(
        private readonly array $servers,
        private readonly string $prefix,
        private readonly int $seconds = 10,
        ?GuardedServers $guarded = null,
        private readonly StaleAreas $areas = new StaleAreas(),
        ?Closure $connect = null,
        int $patience = 50,
    ) {
        // Servers that only play memcached have no clock: there each question is asked.
        $this->nodes = $connect === null
            ? new MemcachedNodes(
                $servers,
                $guarded,
                patience: 4_000_000 * $patience,
                connecting: 1_000_000 * $patience,
            )
            : new MemcachedNodes($servers, $guarded, 0, $connect);
        $this->stale = $areas->spans() === [] ? null : new StaleItems($this->nodes, $areas, $prefix);
    }

    /** The prefix of the keys of the site of this name, here and in nginx. */
    public static function prefix(string $site): string
    {
        return 'larder/' . $site;
    }

    /** @return self|null null: the place is none of such a store */
    public static function of(string $place, StaleAreas $areas = new StaleAreas()): ?self
    {
        if (!str_starts_with($place, self::PLACE)) {
            return null;
        }
        $words = explode(' ', substr($place, \strlen(self::PLACE)));
        $prefix = array_shift($words);

        return $words === [] ? null : new self($words, $prefix, areas: $areas);
    }

    public function keepsHeads(): bool
    {
        return true;
    }

    public function objection(PagePath $page, Response $answer): ?string
    {
        $key = \strlen($this->key($page->key));
        $head = \strlen(self::head($page, $answer, PHP_INT_MAX, ''));

        return match (true) {
            $key > self::LONGEST_KEY => \sprintf('its key has %d bytes, more than %d', $key, self::LONGEST_KEY),
            $head > self::LONGEST_HEAD => \sprintf('its head has %d bytes, more than %d', $head, self::LONGEST_HEAD),
            default => null,
        };
    }

    /**
     * Elects one process of all hosts. Who comes later finds the stub or the page.
     *
     * @param string $name the page's key
     */
    public function acquire(string $name): ?Lease
    {
        if (\strlen($this->key($name)) > self::LONGEST_KEY) {
            // No page comes of it, so nobody waits.
            return new Lease(null);
        }
        $index = $this->nodes->of($this->prefix . $name);
        $stub = SsiText::stub($name);
        $isPart = $stub !== '';
        $look = $isPart
            ? \sprintf("ms %s %d ME c T%d\r\n%s\r\n", $this->key($name), \strlen($stub), $this->seconds, $stub)
            : \sprintf("mg %s N%d c v\r\n", $this->key($name), $this->seconds);
        $reply = $this->nodes->tell([$index => $look])[$index][0] ?? null;
        if ($reply === null || ($isPart ? $reply->code !== 'HD' : !\in_array('W', $reply->flags, true))) {
            return null;
        }
        $delete = \sprintf("md %s C%s\r\n", $this->key($name), $reply->flag('c'));
        $this->won[$name] = true;

        return new Lease(function () use ($name, $index, $delete): void {
            // A draft's stub is another one, and its end is not that of the lease.
            if (isset($this->won[$name])) {
                unset($this->won[$name]);
                $this->nodes->ask([$index => $delete]);
            }
        });
    }

    public function draft(PagePath $page, Response $answer): Draft
    {
        $twin = $page->isPiece() ? $answer->body : (string) gzencode($answer->body, 6);
        $bytes = \strlen(self::head($page, $answer, 0, $twin)) + \strlen($twin) + \strlen($this->key($page->key));

        return new Draft(bin2hex(random_bytes(16)), $page, $answer, $twin, $bytes);
    }

    public function stamp(Draft $draft, int $generation): void
    {
        $key = $draft->page->key;
        $index = $this->nodes->of($this->prefix . $key);
        $stub = SsiText::stub($key);
        $stub = \sprintf("ms %s %d c T%d\r\n%s\r\n", $this->key($key), \strlen($stub), $this->seconds, $stub);
        $reply = $this->nodes->tell([$index => $stub])[$index][0] ?? null;
        $cas = $reply === null ? '' : $reply->flag('c');
        if ($reply === null || $reply->code !== 'HD' || $cas === '') {
            throw PageStoreFailed::during('draft', $key, $reply->code ?? 'no reply');
        }
        unset($this->won[$key]);
        $this->stubs[$draft->name] = [$index, $this->nodes->node($index)->number(), $cas];
    }

    public function publish(Draft $draft, int $generation): bool
    {
        [$index, $connection, $cas] = $this->stubs[$draft->name] ?? [0, 0, ''];
        unset($this->stubs[$draft->name]);
        // On another connection there may be another server process, which counts from 1 again.
        if ($connection === 0 || $this->nodes->node($index)->number() !== $connection) {
            return false;
        }
        $value = self::value($draft, $generation);
        $swap = \sprintf("ms %s %d C%s\r\n%s\r\n", $this->key($draft->page->key), \strlen($value), $cas, $value);
        // The mark comes first: a page above it would outlive a ledger that lost its registration.
        $answer = $this->nodes->ask([$index => $this->marking($generation) . $swap])[$index];

        if (!\is_array($answer)) {
            throw $answer;
        }
        $isThere = array_column($answer, 'code') === ['HD', 'HD'];
        if ($isThere) {
            $this->stale?->end($draft->page->key);
        }

        return $isThere;
    }

    public function discard(Draft $draft): void
    {
        [$index, $connection, $cas] = $this->stubs[$draft->name] ?? [0, 0, ''];
        unset($this->stubs[$draft->name]);
        if ($connection !== 0 && $this->nodes->node($index)->number() === $connection) {
            $this->nodes->ask([$index => \sprintf("md %s C%s\r\n", $this->key($draft->page->key), $cas)]);
        }
    }

    public function made(Draft $draft, int $generation, bool $gzip): StoredPage
    {
        return self::parsed($draft->page, self::value($draft, $generation), $gzip)
            ?? throw PageStoreFailed::during('make', $draft->page->key, 'its head is none');
    }

    public function read(PagePath $page, bool $gzip): ?StoredPage
    {
        $key = $this->key($page->key);
        // Who just won the lease has seen that there is none.
        if (isset($this->won[$page->key]) || \strlen($key) > self::LONGEST_KEY) {
            return null;
        }
        $index = $this->nodes->of($this->prefix . $page->key);
        $reply = $this->nodes->tell([$index => "mg {$key} v\r\n"])[$index][0] ?? null;

        return $reply === null ? null : self::parsed($page, $reply->value, $gzip);
    }

    public function claim(PagePath $page): bool
    {
        return $this->stale?->claim($page->key) ?? false;
    }

    public function giveBack(PagePath $page): void
    {
        $this->stale?->giveBack($page->key);
    }

    public function stale(PagePath $page, bool $gzip): ?StoredPage
    {
        return $this->stale === null || \strlen($this->key($page->key)) > self::LONGEST_KEY
            ? null
            : self::parsed($page, $this->stale->read($page->key), $gzip);
    }

    public function place(): string
    {
        return self::PLACE . implode(' ', [$this->prefix, ...$this->servers]);
    }

    public function host(): string
    {
        return '';
    }

    public function isHost(string $host): bool
    {
        return true;
    }

    public function at(string $place): RegisteredPages
    {
        return self::of($place, $this->areas) ?? (new FilePageStore('', '', areas: $this->areas))->at($place);
    }

    public function isThere(): bool
    {
        return array_filter($this->nodes->ask($this->each('')), is_array(...)) !== [];
    }

    /** Where PHP reaches all of them by unix sockets, they are on its own host. */
    public function endWithHost(): bool
    {
        return array_filter($this->servers, static fn(string $server): bool => !str_starts_with($server, 'unix:'))
            === [];
    }

    /**
     * A server that does not know whose its pages are has begun anew, and has none, or a proxy has: it is emptied. One
     * that does not answer is looked at when it does: until then each change of its pages fails.
     */
    public function belong(string $ledger, int $generation): bool
    {
        $this->life = $ledger;
        $anew = [];
        foreach ($this->nodes->ask($this->each("mg {$this->prefix}@ v\r\n"), anew: true) as $index => $answer) {
            if (!\is_array($answer)) {
                continue;
            }
            [$life, $reached] = explode(' ', $answer[0]->value ?? '') + ['', '0'];
            if ($life === '') {
                $anew[$index] = "flush_all\r\n" . $this->marking($generation);
            } elseif ($life !== $ledger || (int) $reached > $generation) {
                return false;
            } elseif ((int) $reached < $generation) {
                $anew[$index] = $this->marking($generation);
            }
        }
        $this->nodes->tell($anew);

        return true;
    }

    public function begin(string $ledger, int $generation, string $release, bool $keepsStale = false): void
    {
        $this->life = $ledger;
        $this->nodes->tell($this->each("flush_all\r\n" . $this->marking($generation)));
    }

    public function drop(array $pages): void
    {
        $keys = [];
        foreach ($pages as $placed) {
            $keys[$this->nodes->of($this->prefix . $placed->page)][] = $this->key($placed->page);
        }
        $commands = [];
        foreach ($keys as $index => $ofNode) {
            // Emptied, it also forgets whose its pages are, which is looked up at the next change.
            $commands[$index] = \count($ofNode) > self::MANY
                ? "flush_all\r\n"
                : implode('', array_map(static fn(string $key): string => "md {$key} q\r\n", $ofNode));
        }
        foreach ($this->nodes->tell($commands) as $index => $replies) {
            foreach ($replies as $reply) {
                // A quiet delete says NF in some versions.
                if (!\in_array($reply->code, ['OK', 'NF'], true)) {
                    throw PageStoreFailed::during('delete pages on', $this->servers[$index], $reply->code);
                }
            }
        }
    }

    public function outdate(array $pages): void
    {
        $this->stale?->keep(array_column($pages, 'page'));
        $this->drop($pages);
    }

    public function clear(): void
    {
        $this->life = '-';
        $this->nodes->tell($this->each("flush_all\r\n" . $this->marking(0)));
    }

    public function sweep(int $most): void {}

    private function key(string $page): string
    {
        return MemcachedNodes::escaped($this->prefix . $page);
    }

    private function marking(int $generation): string
    {
        $mark = $this->life . ' ' . $generation;

        return \sprintf("ms %s@ %d\r\n%s\r\n", $this->prefix, \strlen($mark), $mark);
    }

    /** @return array<int, string> the same for all servers */
    private function each(string $commands): array
    {
        return array_fill_keys($this->nodes->all(), $commands);
    }

    private static function value(Draft $draft, int $generation): string
    {
        return $draft->page->part === null
            ? self::head($draft->page, $draft->answer, $generation, $draft->twin) . $draft->twin
            : $draft->answer->body;
    }

    /** The whole page of a shell is another one for each visitor, and at each time: it has no ETag. */
    private static function head(PagePath $page, Response $answer, int $generation, string $twin): string
    {
        $head = \sprintf("HTTP/1.1 %d %s\r\n", $answer->status, self::REASONS[$answer->status] ?? 'OK');
        $fixed = $page->isPiece()
            ? ['vary' => ['Accept-Encoding'], 'cache-control' => ['private, no-cache']]
            : [
                'content-encoding' => ['gzip'],
                'vary' => ['Accept-Encoding'],
                'etag' => [\sprintf('"%x-%x"', $generation, \strlen($twin))],
                'cache-control' => ['no-cache'],
            ];
        foreach ($fixed + $answer->headers as $name => $values) {
            foreach ($values as $value) {
                $head .= ucwords($name, '-') . ': ' . strtr($value, ["\r" => ' ', "\n" => ' ', "\0" => ' ']) . "\r\n";
            }
        }

        return $head . "\r\n";
    }

    /** @return StoredPage|null null: this is no page */
    private static function parsed(PagePath $page, string $value, bool $gzip): ?StoredPage
    {
        if ($page->part !== null) {
            return $value === SsiText::stub($page->key) || $value === '' ? null : new StoredPage($value, false, '');
        }
        $end = strpos($value, "\r\n\r\n");
        if ($end === false || preg_match('~^HTTP/1\.1 (\d{3}) ~', $value, $status) !== 1) {
            return null;
        }
        $headers = [];
        foreach (\array_slice(explode("\r\n", substr($value, 0, $end)), 1) as $line) {
            [$name, $text] = explode(': ', $line, 2) + [1 => ''];
            $headers[strtolower($name)][] = $text;
        }
        $etag = $headers['etag'][0] ?? '';
        $isCompressed = isset($headers['content-encoding']);
        unset($headers['content-encoding'], $headers['vary'], $headers['etag'], $headers['cache-control']);
        $body = substr($value, $end + 4);

        if (!$isCompressed) {
            return new StoredPage($body, false, $etag, (int) $status[1], $headers, $page->isShell);
        }

        // nginx decompresses for clients that do not accept gzip, and weakens the ETag.
        return new StoredPage(
            $gzip ? $body : (string) gzdecode($body),
            $gzip,
            $gzip ? $etag : 'W/' . $etag,
            (int) $status[1],
            $headers,
        );
    }
}
