<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Closure;
use Larder\Answer;
use Larder\Memcached;

/** The calls for many keys at once, and the pipeline. */
final readonly class BatchCalls
{
    private const TTL = 100_000.0;

    public function __construct(
        private Memcached $pool,
        private CallTimer $timer,
        private ClientJudge $judge,
        private KeyCalls $calls,
    ) {}

    /** @param list<int> $keys */
    public function get(array $keys): void
    {
        [$names, $from] = $this->before($keys);
        $found = $this->timer->time('getMultiple', fn(): array => $this->pool->getMultiple(array_keys($names)));
        $this->judge->count(ClientCount::KeysRead, \count($keys));
        foreach ($found as $name => $value) {
            if (isset($names[$name])) {
                $this->judge->value($names[$name], $value, $from[$names[$name]], 'getMultiple');
            } else {
                $this->judge->wrong('getMultiple', 0, 'gave a key that was not asked for: ' . $name);
            }
        }
        $this->judge->inOrder(array_keys($found), array_keys($names));
    }

    /** @param list<int> $keys */
    public function read(array $keys): void
    {
        [$names, $from] = $this->before($keys);
        $answers = $this->timer->time('readMultiple', fn(): array => $this->pool->readMultiple(array_keys($names)));
        foreach ($this->each($names, $answers, 'readMultiple') as $key => $answer) {
            $this->calls->answered($key, $answer, $from[$key], 'readMultiple');
        }
    }

    /** @param list<int> $keys of our own */
    public function set(array $keys): void
    {
        [$names, $generations, $values] = $this->begin($keys);
        $ttl = mt_rand(0, 1) === 0 ? null : self::TTL;
        $outcomes = $this->timer->time('setMultiple', fn(): array => $this->pool->setMultiple($values, $ttl));
        foreach ($this->each($names, $outcomes, 'setMultiple') as $key => $outcome) {
            $this->judge->outcome($key, $generations[$key], $outcome, 'setMultiple');
        }
    }

    /** @param list<int> $keys of our own */
    public function cas(array $keys): void
    {
        [$names, $from] = $this->before($keys);
        $answers = $this->timer->time('readMultiple', fn(): array => $this->pool->readMultiple(array_keys($names)));
        $versions = [];
        foreach ($this->each($names, $answers, 'readMultiple') as $key => $answer) {
            $this->calls->answered($key, $answer, $from[$key], 'readMultiple');
            if ($answer instanceof Answer && $answer->hit) {
                $versions[$this->judge->keys->name($key)] = $answer->version;
            }
        }
        $names = array_intersect_key($names, $versions);
        [, $generations, $values] = $this->begin(array_values($names));
        $outcomes = $this->timer->time('casMultiple', fn(): array => $this->pool->casMultiple($values, $versions));
        foreach ($this->each($names, $outcomes, 'casMultiple') as $key => $outcome) {
            $this->judge->outcome($key, $generations[$key], $outcome, 'casMultiple');
        }
    }

    /** @param list<int> $keys of our own */
    public function delete(array $keys): void
    {
        [$names] = $this->before($keys);
        $generations = array_map($this->judge->begin(...), array_combine($keys, $keys));
        $outcomes = $this->timer->time(
            'deleteMultiple',
            fn(): array => $this->pool->deleteMultiple(array_keys($names)),
        );
        foreach ($this->each($names, $outcomes, 'deleteMultiple') as $key => $outcome) {
            $this->judge->outcome($key, $generations[$key], $outcome, 'delete');
        }
    }

    /** @param list<int> $keys */
    public function touch(array $keys): void
    {
        [$names] = $this->before($keys);
        $outcomes = $this->timer->time(
            'touchMultiple',
            fn(): array => $this->pool->touchMultiple(array_keys($names), self::TTL),
        );
        foreach ($this->each($names, $outcomes, 'touchMultiple') as $key => $outcome) {
            $this->judge->tell($outcome, $key, 'touchMultiple');
        }
    }

    /** @param list<int> $keys counters of our own */
    public function count(array $keys): void
    {
        foreach ([0, 1] as $odd) {
            $some = array_values(array_filter($keys, static fn(int $key): bool => $key % 2 === $odd));
            [$names, $from] = $this->before($some);
            array_map($this->judge->begin(...), $some);
            $given = $this->timer->time(
                $odd === 0 ? 'incrementMultiple' : 'decrementMultiple',
                fn(): array => $odd === 0
                    ? $this->pool->incrementMultiple(array_keys($names), 1, 1)
                    : $this->pool->decrementMultiple(array_keys($names), 1, -1),
            );
            foreach ($this->each($names, $given, 'counters') as $key => $number) {
                $this->judge->counted($key, $number, $from[$key], 'counters');
            }
        }
    }

    /** @param list<int> $keys logs of our own that grow at their end */
    public function append(array $keys): void
    {
        [$names] = $this->before($keys);
        $generations = array_map($this->judge->begin(...), array_combine($keys, $keys));
        $tokens = array_map(fn(int $key): string => ClientJudge::token($key, $generations[$key]), $names);
        $outcomes = $this->timer->time('appendMultiple', fn(): array => $this->pool->appendMultiple($tokens));
        foreach ($this->each($names, $outcomes, 'appendMultiple') as $key => $outcome) {
            $this->judge->logged($key, $generations[$key], $outcome, 'append');
        }
    }

    /** @param list<Closure(): KeyCall> $makers */
    public function pipeline(array $makers): void
    {
        $line = $this->pool->pipeline();
        $calls = [];
        foreach ($makers as $maker) {
            $call = $maker();
            ($call->send)($line);
            $calls[] = $call;
        }
        $given = $this->timer->time('pipeline', $line->run(...));
        if (\count($given) !== \count($calls)) {
            $counts = \count($given) . ' results for ' . \count($calls) . ' calls';
            $this->judge->wrong('pipeline', 0, $counts);
        }
        foreach ($calls as $i => $call) {
            ($call->check)($given[$i] ?? null);
        }
    }

    /**
     * @param list<int> $keys
     *
     * @return array{array<array-key, int>, array<int, int>} key by name; acknowledged generation by key
     */
    private function before(array $keys): array
    {
        $names = $from = [];
        foreach ($keys as $key) {
            $names[$this->judge->keys->name($key)] = $key;
            $from[$key] = $this->judge->acknowledged($key);
        }

        return [$names, $from];
    }

    /**
     * @param list<int> $keys
     *
     * @return array{array<array-key, int>, array<int, int>, array<array-key, mixed>} key by name; generation by key;
     *     value by name
     */
    private function begin(array $keys): array
    {
        $names = $generations = $values = [];
        foreach ($keys as $key) {
            $name = $this->judge->keys->name($key);
            $names[$name] = $key;
            $generations[$key] = $this->judge->begin($key);
            $values[$name] = $this->judge->valueOf($key, $generations[$key]);
        }

        return [$names, $generations, $values];
    }

    /**
     * @param array<array-key, int>   $names
     * @param array<array-key, mixed> $given
     *
     * @return array<int, mixed> by key: one for each
     */
    private function each(array $names, array $given, string $by): array
    {
        if (array_keys($given) !== array_keys($names)) {
            $counts = \count($given) . ' results for ' . \count($names) . ' keys';
            $this->judge->wrong($by, 0, $counts . ', or in another order');
        }
        $each = [];
        foreach ($names as $name => $key) {
            $each[$key] = $given[$name] ?? null;
        }

        return $each;
    }
}
