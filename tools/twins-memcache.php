<?php

declare(strict_types=1);

/*
 * What tools/twins calls of the class Memcache. Left out is what docs/how-to/replace-pecl-memcache.md lists as
 * different.
 */

/** Seconds for which a server that was lost is not tried again: more than the twins live. */
const RETRY = 100_000;

/** The object of one process, and what it answers. */
final class Subject
{
    private Memcache $memcache;
    /** @var array<string, int> tokens, which differ from server to server, by key */
    private array $tokens = [];

    /** @param array<string, string> $settings */
    public function anew(array $settings): void
    {
        foreach ($settings as $name => $value) {
            ini_set("memcache.$name", $value);
        }
        $this->tokens = [];
        $this->memcache = new Memcache();
        foreach (PLACES as $i => $place) {
            $this->memcache->addServer("unix://$place", 0, false, $i + 1, 1, RETRY);
        }
    }

    /**
     * @param array<mixed> $arguments
     * @return list<mixed>
     */
    public function answer(string $method, array $arguments): array
    {
        try {
            return [$this->call($method, $arguments)];
        } catch (Throwable $thrown) {
            return [get_class($thrown) . ': ' . $thrown->getMessage()];
        }
    }

    /** @param array<mixed> $arguments */
    private function call(string $method, array $arguments): mixed
    {
        $first = $arguments[0] ?? null;
        if ($method === 'get') {
            $flags = $cas = null;
            $found = $this->memcache->get($first, $flags, $cas);
            foreach (is_array($cas) ? $cas : (is_int($cas) ? [$first => $cas] : []) as $key => $token) {
                $this->tokens[(string) $key] = $token;
            }

            return [sorted($found), sorted($flags), is_array($cas) ? array_keys(sorted($cas)) : gettype($cas)];
        }
        if ($method === 'cas') {
            if ($this->memcache->get($first) === false) {
                return 'not there';
            }
            $arguments[] = $this->tokens[(string) $first] ?? 1;
        }
        if (str_starts_with($method, 'memcache_')) {
            return sorted($method($this->memcache, ...$arguments));
        }
        $result = sorted($this->memcache->{$method}(...$arguments));
        if (is_array($result) && in_array($method, ['increment', 'decrement'], true)) {
            // Under which keys the older one names those that were not counted is written over by then.
            $result = array_filter($result, is_int(...));
        }

        return $result;
    }
}

final class Calls
{
    private const PREFIXES = ['', 'all'];
    private const KEYS
        = ['text', 'a', 'b', 'key:1', 'key:2', '7', '-3', '007', 'count', 'count:2', 'Ünï', 'x.y/z', 's_p'];
    /** From 2^63 on servers look at what lies behind a number in their memory. */
    private const MOST = 1 << 50;
    private const USER = [0, 0, 0, 2, 0x10000, 0x20002, 0xf0000, 1, 0x100];
    private string $fault = '';
    private bool $isCopied = false;

    /** @return list<string> all that may be on the servers */
    public static function keys(): array
    {
        $keys = [];
        foreach (self::PREFIXES as $prefix) {
            array_push($keys, ...array_map(static fn(string $key): string => $prefix . $key, self::KEYS));
        }

        return $keys;
    }

    /**
     * The settings of the next object.
     *
     * @param ''|'end'|'stop'|'fill' $fault that comes while it lives
     * @return array{array<string, string>}
     */
    public function anew(string $fault): array
    {
        $this->fault = $fault;
        // With copies, a server that is lost in a call makes the older one time out at others, or ends its process.
        $copies = in_array($fault, ['', 'fill'], true) ? [1, 1, 2, 3][mt_rand(0, 3)] : 1;
        $this->isCopied = $copies > 1;

        return [[
            'hash_strategy' => ['standard', 'consistent'][mt_rand(0, 1)],
            'hash_function' => ['crc32', 'fnv'][mt_rand(0, 1)],
            'redundancy' => (string) $copies,
            'allow_failover' => (string) mt_rand(0, 1),
            // With few the older one writes several copies to one server, and counts there as often.
            'max_failover_attempts' => (string) ($copies > 1 ? 1000 : [1, 3, 20, 20][mt_rand(0, 3)]),
            'compress_threshold' => (string) [0, 100, 20000][mt_rand(0, 2)],
            'prefix_static_key' => self::PREFIXES[mt_rand(0, 3) === 0 ? 1 : 0],
        ]];
    }

    /** @return array{string, array<mixed>} */
    public function next(): array
    {
        do {
            $call = $this->any();
        } while (!$this->mayBe($call));

        return $call;
    }

    /** @param array{string, array<mixed>} $call */
    private function mayBe(array $call): bool
    {
        // What a full server refuses it deletes, but for set() only where the meta protocol is spoken.
        // Of several values the older client says nothing of those that have no server.
        return match ($this->fault) {
            '' => true,
            'fill' => in_array($call[0], ['set', 'get', 'delete', 'findServer'], true),
            default => !is_array($call[1][0] ?? null) || str_ends_with($call[0], 'get'),
        };
    }

    /** @return array{string, array<mixed>} */
    private function any(): array
    {
        $key = $this->key();

        return match (mt_rand(0, 24)) {
            0, 1, 2 => ['set', [$key, $this->valueOf($key), $this->flags(), $this->ttl()]],
            3 => ['add', [$key, $this->valueOf($key), $this->flags(), $this->ttl()]],
            4 => ['replace', [$key, $this->valueOf($key), $this->flags(), $this->ttl()]],
            5 => [$this->isCopied ? 'replace' : 'cas', [$key, $this->valueOf($key), 0, $this->ttl()]],
            6, 7, 8 => ['get', [$key]],
            9, 10, 11 => ['get', [$this->some()]],
            12, 13 => [['set', 'set', 'add', 'replace'][mt_rand(0, 3)], [$this->items(), null, $this->flags()]],
            14 => ['delete', [$this->some()]],
            15 => ['delete', [$key]],
            16, 17 => ['increment', [$this->counter(), mt_rand(0, 1) === 0 ? 1 : mt_rand(0, self::MOST)]],
            18 => ['decrement', [$this->counter(), mt_rand(-5, 20)]],
            19 => [['increment', 'decrement'][mt_rand(0, 1)], [$this->some(), mt_rand(-2, 9)]],
            20 => [['append', 'prepend'][mt_rand(0, 1)], ['text', $this->text()]],
            21 => [['append', 'prepend'][mt_rand(0, 1)], [['text' => $this->text(), 'none' => 'tail']]],
            24 => ['set', ['text', (string) mt_rand(0, 99)]],
            22 => $this->ofFunction($key),
            default => $this->other(),
        };
    }

    /** @return array{string, array<mixed>} */
    private function ofFunction(string $key): array
    {
        return match (mt_rand(0, 4)) {
            0 => ['memcache_set', [$key, $this->valueOf($key), $this->flags(), $this->ttl()]],
            1 => ['memcache_get', [$this->some()]],
            2 => ['memcache_increment', [$this->counter(), 3]],
            3 => ['memcache_delete', [$key]],
            default => ['memcache_add', [$key, $this->valueOf($key)]],
        };
    }

    /** @return array{string, array<mixed>} */
    private function other(): array
    {
        return match (mt_rand(0, 4)) {
            0 => ['findServer', [$this->key()]],
            1 => ['setCompressThreshold', [mt_rand(-1, 3) * 700, [0.0, 0.2, 0.5, 1.0, 2.0][mt_rand(0, 4)]]],
            2 => ['getServerStatus', ['unix://' . PLACES[mt_rand(0, 2)], 0]],
            3 => ['setServerParams', ['unix://' . [...PLACES, 'none'][mt_rand(0, 3)], 0, 1, RETRY, true]],
            default => ['getVersion', []],
        };
    }

    /** Never "text", to which is appended: what is compressed the older one reads without that. */
    private function key(): string
    {
        if (mt_rand(0, 19) === 0) {
            return ['', str_repeat('l', 251), str_repeat('k', 200), "a\nb", 's p', "s\0p"][mt_rand(0, 5)];
        }

        return self::KEYS[mt_rand(1, count(self::KEYS) - 1)];
    }

    private function counter(): string
    {
        return ['count', 'count:2', '7'][mt_rand(0, 2)];
    }

    private function flags(): int
    {
        return self::USER[mt_rand(0, count(self::USER) - 1)];
    }

    /** @return list<string> */
    private function some(): array
    {
        $keys = self::KEYS;
        shuffle($keys);

        return array_slice($keys, 0, mt_rand(1, 8));
    }

    /** @return array<mixed> */
    private function items(): array
    {
        $items = [];
        foreach (array_diff($this->some(), ['text']) as $key) {
            $items[$key] = $this->valueOf($key);
        }

        return $items;
    }

    private function ttl(): int
    {
        return [0, 0, 0, 1000, 2_592_000, -1][mt_rand(0, 5)];
    }

    /** Never with a blank in front: of nothing else the server reads what lies behind in its memory as a number. */
    private function text(): string
    {
        $bytes = 'x';
        $size = [0, 1, 5, 40, 99, 100, 700, 1400, 9000, 20_000, 70_000][mt_rand(0, 10)];
        $words = mt_rand(0, 2);
        while (strlen($bytes) < $size) {
            $bytes .= match ($words) {
                0 => chr(mt_rand(0, 255)),
                1 => ['alpha ', 'beta ', 'gamma ', '12 ', "\r\n", "\0"][mt_rand(0, 5)],
                default => str_repeat(chr(mt_rand(97, 122)), mt_rand(1, 400)),
            };
        }

        return substr($bytes, 0, $size);
    }

    private function valueOf(int|string $key): mixed
    {
        return in_array((string) $key, ['count', 'count:2', '7'], true) && mt_rand(0, 3) > 0
            ? [mt_rand(0, 300), (string) mt_rand(0, 300), 'word', 1.5, true, null][mt_rand(0, 5)]
            : $this->value();
    }

    private function value(int $depth = 0): mixed
    {
        return match (mt_rand(0, $depth > 2 ? 8 : 11)) {
            0 => mt_rand(-5, 300),
            1 => [PHP_INT_MAX, PHP_INT_MIN, 0, 1 << 40][mt_rand(0, 3)],
            2 => [1.5, 7.0, -0.0, 1e25, 0.1, 1 / 3, 1e-7, 123456789.125, 5e-324, INF, -INF][mt_rand(0, 10)],
            3 => mt_rand(0, 1) === 1,
            4 => null,
            5 => (string) mt_rand(0, 2000),
            6, 7, 8 => $this->text(),
            9 => array_map(fn(): mixed => $this->value($depth + 1), array_fill(0, mt_rand(0, 6), null)),
            10 => ['name' => $this->value($depth + 1), 7 => 'seven', 'list' => [1, 2, 3]],
            default => (object) ['a' => $this->value($depth + 1), 'b' => 'text'],
        };
    }
}
