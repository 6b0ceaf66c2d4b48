<?php

declare(strict_types=1);

/*
 * What tools/twins calls of the class Memcached. Left out is what docs/how-to/replace-ext-memcached.md lists as
 * different, and what ends the older client's process.
 */

/** Numbers of options that php-memcached 3.2.0 does not know yet. */
const LEVEL = -1007;

/** Takes the place of tokens, which differ from server to server. */
final class Tokens
{
    /** @var array<string, int|string> by key */
    private array $known = [];

    /** The result with "CAS" for each token in it, which is kept for a later cas(). */
    public function hide(mixed $result, string $key): mixed
    {
        if (!is_array($result)) {
            return $result;
        }
        if (array_key_exists('cas', $result) && (is_int($result['cas']) || is_string($result['cas']))) {
            $this->known[(string) ($result['key'] ?? $key)] = $result['cas'];
            $result['cas'] = 'CAS';
        }
        foreach ($result as $name => $element) {
            $result[$name] = $this->hide($element, (string) $name);
        }

        return $result;
    }

    public function of(string $key): int|string
    {
        return $this->known[$key] ?? 1;
    }
}

/**
 * The codes of a server that is lost. Which of them a call gives depends, in php-memcached, on the protocol, on the
 * kind of the socket and on what was called before.
 */
const LOST = [1, 2, 3, 5, 7, 19, 26, 31, 35, 47];

/** The object of one process, and what it answers. */
final class Subject
{
    private Memcached $memcached;
    private Tokens $tokens;
    private bool $mayLose = false;

    /** @param array<int, int> $options for servers that fail: nothing is to depend on how much time went by */
    public function anew(array $options): void
    {
        $this->mayLose = $options !== [];
        $this->tokens = new Tokens();
        $this->memcached = new Memcached();
        $this->memcached->setOptions($options);
        foreach (PLACES as $i => $place) {
            $this->memcached->addServer($place, 0, $i + 1);
        }
        if (defined('Memcached::LARDER')) {
            // That of zlib itself, which 3.2.0 takes.
            $this->memcached->setOption(LEVEL, 6);
        }
    }

    /**
     * @param array<mixed> $arguments
     * @return list<mixed>
     */
    public function answer(string $method, array $arguments): array
    {
        try {
            $result = $this->call($method, $arguments);
        } catch (Throwable $thrown) {
            $result = get_class($thrown) . ': ' . $thrown->getMessage();
        }
        $code = $this->memcached->getResultCode();

        return $this->mayLose && in_array($code, LOST, true) ? ['lost']
            : [$result, $code, $this->memcached->getResultMessage()];
    }

    /** @param array<mixed> $arguments */
    private function call(string $method, array $arguments): mixed
    {
        switch ($method) {
            case 'cas':
                array_unshift($arguments, $this->tokens->of((string) $arguments[0]));
                break;
            case 'delayed':
                $sent = $this->memcached->getDelayed(...$arguments);
                $code = $this->memcached->getResultCode();

                return [$sent, $code, $this->tokens->hide(sorted($this->memcached->fetchAll()), '')];
            case 'made':
                [$key, $value, $taken] = $arguments;

                return $this->memcached->get($key, static function ($memcached, $key, &$to) use ($value, $taken): bool {
                    $to = $value;

                    return $taken;
                });
            case 'buffered':
                return $this->buffer($arguments);
        }
        $result = $this->memcached->{$method}(...$arguments);
        if (str_starts_with($method, 'getMulti') && ((int) end($arguments) & Memcached::GET_PRESERVE_ORDER) === 0) {
            $result = sorted($result);
        }

        return $this->tokens->hide($result, is_string($arguments[0] ?? null) ? $arguments[0] : '');
    }

    /**
     * @param array<array{string, mixed}> $items
     * @return list<mixed>
     */
    private function buffer(array $items): array
    {
        $codes = [];
        $this->memcached->setOption(Memcached::OPT_BUFFER_WRITES, true);
        foreach ($items as [$key, $value]) {
            $codes[] = [$this->memcached->set($key, $value), $this->memcached->getResultCode()];
        }
        $codes[] = $this->memcached->flushBuffers();
        $this->memcached->setOption(Memcached::OPT_BUFFER_WRITES, false);

        return $codes;
    }
}

final class Calls
{
    private const PREFIXES = ['', 'p:', 'other.'];
    /** From 2^63 on servers look at what lies behind a number in their memory. */
    private const MOST = 1 << 50;
    private const KEYS = ['text', 'a', 'b', 'key:1', 'key:2', '7', '-3', '007', 'count', 'count:2', 'Ünï', 'x.y/z'];
    private bool $isBinary = false;
    private bool $compresses = true;
    private int $prefix = 0;
    private string $fault = '';

    /** @return list<string> all that may be on the servers */
    public static function keys(): array
    {
        $keys = [];
        foreach (self::PREFIXES as $prefix) {
            array_push($keys, ...array_map(static fn(string $key): string => $prefix . $key, self::KEYS));
        }

        return $keys;
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
        if ($this->fault === 'fill') {
            // What a full server refuses it deletes, but for set() only where the meta protocol is spoken.
            return in_array($call[0], ['set', 'get', 'getMulti', 'delete', 'deleteMulti', 'touch', 'getOption'], true);
        }
        // Of several keys, of which some have lost their server, the older client forgets some, or that they are lost.
        return match (true) {
            $this->fault === '' => true,
            str_contains($call[0], 'Multi') => count(current(array_filter($call[1], is_array(...))) ?: []) === 1,
            default => !in_array($call[0], ['delayed', 'buffered', 'getVersion'], true),
        };
    }

    /** @return array{string, array<mixed>} */
    private function any(): array
    {
        $key = $this->key();

        return match (mt_rand(0, 30)) {
            0, 1, 2 => ['set', [$key, $this->valueOf($key), $this->ttl()]],
            3 => ['add', [$key, $this->valueOf($key), $this->ttl()]],
            4 => ['replace', [$key, $this->valueOf($key), $this->ttl()]],
            5 => ['cas', [$key, $this->valueOf($key)]],
            6, 7, 8 => ['get', [$key]],
            9 => ['get', [$key, null, Memcached::GET_EXTENDED]],
            10, 11 => ['getMulti', [$this->some(), mt_rand(0, 3)]],
            12 => ['delayed', [$this->some(), mt_rand(0, 1) === 1]],
            13, 14 => ['setMulti', [$this->items(), $this->ttl()]],
            15 => ['deleteMulti', [$this->some()]],
            16 => ['delete', [$key]],
            17, 18 => ['increment', [$this->counter(), mt_rand(0, 1) === 0 ? 1 : mt_rand(0, self::MOST)]],
            19 => ['decrement', [$this->counter(), mt_rand(0, 20)]],
            20 => ['increment', $this->isBinary ? [$key, 2, mt_rand(0, 99), [-1, 0, 1000][mt_rand(0, 2)]] : [$key, -1]],
            21 => [mt_rand(0, 1) === 0 ? 'append' : 'prepend', ['text', $this->text()]],
            28 => ['set', ['text', (string) mt_rand(0, 99)]],
            22 => ['touch', [$key, $this->ttl()]],
            23 => ['made', [$key, $this->valueOf($key), mt_rand(0, 3) > 0]],
            24 => ['setByKey', [$this->serverKey(), $key, $this->valueOf($key)]],
            25 => ['getByKey', [$this->serverKey(), $key]],
            26 => ['getMultiByKey', [$this->serverKey(), $this->some(), mt_rand(0, 3)]],
            27 => ['buffered', array_map(fn(): array => [$this->key(), mt_rand(0, 9999)], $this->some())],
            default => $this->other(),
        };
    }

    /**
     * What the next object gets.
     *
     * @param ''|'end'|'stop'|'fill' $fault that comes while it lives
     * @return array{array<int, int>}
     */
    public function anew(string $fault): array
    {
        $this->fault = $fault;
        $this->isBinary = false;
        $this->compresses = true;
        $this->prefix = 0;
        // No time goes by: a server that was lost is not tried again.
        $options = [Memcached::OPT_RETRY_TIMEOUT => 100_000, Memcached::OPT_DEAD_TIMEOUT => 100_000];
        if (mt_rand(0, 1) === 0) {
            $options[Memcached::OPT_DISTRIBUTION] = 1;
        }

        return [$fault !== '' ? $options : []];
    }

    /** @return array{string, array<mixed>} */
    private function other(): array
    {
        switch (mt_rand(0, 13)) {
            case 0:
                $this->isBinary = !$this->isBinary;

                return ['setOption', [Memcached::OPT_BINARY_PROTOCOL, $this->isBinary]];
            case 1:
                $this->compresses = !$this->compresses;

                return ['setOption', [Memcached::OPT_COMPRESSION, $this->compresses]];
            case 2:
                return ['setOption', [Memcached::OPT_COMPRESSION_TYPE, mt_rand(0, 2)]];
            case 3:
                return ['setOption', [Memcached::OPT_SERIALIZER, mt_rand(0, 6)]];
            case 4:
                $this->prefix = mt_rand(0, 2);

                return ['setOption', [Memcached::OPT_PREFIX_KEY, self::PREFIXES[$this->prefix]]];
            case 5:
                return ['setOption', [Memcached::OPT_USER_FLAGS, [-1, 0, 1, 4242, 65535, 65536][mt_rand(0, 5)]]];
            case 6:
                return ['setOption', [Memcached::OPT_DISTRIBUTION, mt_rand(0, 1)]];
            case 7:
                return ['setOption', [Memcached::OPT_HASH, [0, 1, 2, 3, 4, 5, 6, 7, 8][mt_rand(0, 8)]]];
            case 8:
                return ['setOption', [Memcached::OPT_LIBKETAMA_COMPATIBLE, mt_rand(0, 1)]];
            case 9:
                return ['setOption', [Memcached::OPT_HASH_WITH_PREFIX_KEY, mt_rand(0, 1)]];
            case 10:
                // But for the sizes of socket buffers, which are those of the system.
                return ['getOption', [[...range(0, 3), ...range(6, 37)][mt_rand(0, 35)]]];
            case 11:
                return ['getServerByKey', [$this->serverKey()]];
            case 12:
                return ['getServerList', []];
            default:
                return ['getVersion', []];
        }
    }

    /** Never "text": what is appended to something else than a string makes the older client end its process. */
    private function key(): string
    {
        if (mt_rand(0, 19) === 0) {
            return ['', str_repeat('l', 251), str_repeat('k', 200), "a\nb"][mt_rand(0, 3)];
        }
        $keys = self::KEYS;

        // Without the binary protocol 3.2.0 refuses all but ASCII; 3.3.0 takes it.
        return $keys[mt_rand(0, count($keys) - 1)] === 'Ünï' && !$this->isBinary ? 'a' : $keys[mt_rand(1, 9)];
    }

    private function serverKey(): string
    {
        return ['', 'one', 'two', 'three', "a\nb", 'key:1'][mt_rand(0, 5)];
    }

    private function counter(): string
    {
        return ['count', 'count:2', '7'][mt_rand(0, 2)];
    }

    /** @return list<string> */
    private function some(): array
    {
        $keys = self::KEYS;
        shuffle($keys);
        $keys = array_diff(array_slice($keys, 0, mt_rand(1, 8)), ['Ünï']);

        return array_values($keys === [] ? ['a'] : $keys);
    }

    /** @return array<mixed> */
    private function items(): array
    {
        $items = [];
        foreach ($this->some() as $key) {
            if ($key !== 'text') {
                $items[$key] = $this->valueOf($key);
            }
        }

        return $items;
    }

    private function ttl(): int
    {
        // Below 0 is a date far away in binary, which ours takes for no end.
        return [0, 0, 0, 1000, 2_592_000, $this->isBinary ? 60 : -1][mt_rand(0, 5)];
    }

    private function text(): string
    {
        $bytes = '';
        $size = [0, 1, 5, 40, 1999, 2000, 2600, 9000, 70_000][mt_rand(0, 8)];
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

    /**
     * Of counters only what is short: compressed bytes may begin as a number does, and the server then counts what the
     * older client ends its process over.
     */
    private function valueOf(int|string $key): mixed
    {
        return in_array((string) $key, ['count', 'count:2', '7'], true)
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
