<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Larder\Answer;
use Larder\Memcached;
use Larder\Outcome;
use Larder\Pipeline;

/** Makes the calls for one key. What the key may hold is noted when the call is made, so it must be sent at once. */
final readonly class KeyCalls
{
    /** Seconds; none ends within a run. */
    private const TTL = 100_000.0;

    public function __construct(private ClientJudge $judge) {}

    public function read(int $key): KeyCall
    {
        $from = $this->judge->acknowledged($key);
        $name = $this->judge->keys->name($key);
        $check = fn(mixed $answer) => $this->answered($key, $answer, $from, 'read');

        return match (mt_rand(0, 3)) {
            0 => new KeyCall(
                'getAndTouch',
                $key,
                static fn(Memcached $pool) => $pool->getAndTouch($name, self::TTL),
                static fn(Pipeline $line) => $line->getAndTouch($name, self::TTL),
                $check,
            ),
            1 => new KeyCall(
                'gets',
                $key,
                static fn(Memcached $pool) => $pool->gets($name),
                static fn(Pipeline $line) => $line->read($name),
                $check,
            ),
            default => new KeyCall(
                'read',
                $key,
                static fn(Memcached $pool) => $pool->read($name),
                static fn(Pipeline $line) => $line->read($name),
                $check,
            ),
        };
    }

    public function has(int $key): KeyCall
    {
        $name = $this->judge->keys->name($key);

        return new KeyCall('has', $key, static fn(
            Memcached $pool,
        ) => $pool->has($name), static fn(Pipeline $line) => $line->has($name), function (mixed $has) use ($key): void {
            if (!\is_bool($has) || ($has && $this->judge->begun($key) === 0)) {
                $this->judge->wrong('has', $key, 'it was never written');
            }
        });
    }

    public function write(int $key): KeyCall
    {
        $name = $this->judge->keys->name($key);
        $generation = $this->judge->begin($key);
        $value = $this->judge->valueOf($key, $generation);
        $ttl = mt_rand(0, 3) === 0 ? self::TTL : null;
        $check = fn(mixed $outcome) => $this->judge->outcome($key, $generation, $outcome, 'write');

        return match (mt_rand(0, 5)) {
            0 => new KeyCall(
                'add',
                $key,
                static fn(Memcached $pool) => $pool->add($name, $value, $ttl),
                static fn(Pipeline $line) => $line->add($name, $value, $ttl),
                $check,
            ),
            1 => new KeyCall(
                'replace',
                $key,
                static fn(Memcached $pool) => $pool->replace($name, $value, $ttl),
                static fn(Pipeline $line) => $line->replace($name, $value, $ttl),
                $check,
            ),
            default => new KeyCall(
                'set',
                $key,
                static fn(Memcached $pool) => $pool->set($name, $value, $ttl),
                static fn(Pipeline $line) => $line->set($name, $value, $ttl),
                $check,
            ),
        };
    }

    public function cas(int $key, int $version): KeyCall
    {
        $name = $this->judge->keys->name($key);
        $generation = $this->judge->begin($key);
        $value = $this->judge->valueOf($key, $generation);

        return new KeyCall(
            'cas',
            $key,
            static fn(Memcached $pool) => $pool->cas($name, $value, $version),
            static fn(Pipeline $line) => $line->cas($name, $value, $version),
            fn(mixed $outcome) => $this->judge->outcome($key, $generation, $outcome, 'cas'),
        );
    }

    public function delete(int $key): KeyCall
    {
        $name = $this->judge->keys->name($key);
        $generation = $this->judge->begin($key);

        return new KeyCall(
            'delete',
            $key,
            static fn(Memcached $pool) => $pool->delete($name),
            static fn(Pipeline $line) => $line->delete($name),
            fn(mixed $outcome) => $this->judge->outcome($key, $generation, $outcome, 'delete'),
        );
    }

    public function touch(int $key): KeyCall
    {
        $name = $this->judge->keys->name($key);

        return new KeyCall(
            'touch',
            $key,
            static fn(Memcached $pool) => $pool->touch($name, self::TTL),
            static fn(Pipeline $line) => $line->touch($name, self::TTL),
            fn(mixed $outcome) => $this->judge->tell($outcome, $key, 'touch'),
        );
    }

    public function count(int $key): KeyCall
    {
        $name = $this->judge->keys->name($key);
        $from = $this->judge->acknowledged($key);
        $this->judge->begin($key);
        $check = fn(mixed $given) => $this->judge->counted($key, $given, $from, 'count');

        return $key % 2 === 0
            ? new KeyCall(
                'increment',
                $key,
                static fn(Memcached $pool) => $pool->increment($name, 1, 1),
                static fn(Pipeline $line) => $line->increment($name, 1, 1),
                $check,
            )
            : new KeyCall(
                'decrement',
                $key,
                static fn(Memcached $pool) => $pool->decrement($name, 1, -1),
                static fn(Pipeline $line) => $line->decrement($name, 1, -1),
                $check,
            );
    }

    /** Begins a log anew, or adds a token to it. */
    public function log(int $key): KeyCall
    {
        $name = $this->judge->keys->name($key);
        $generation = $this->judge->begin($key);
        $token = ClientJudge::token($key, $generation);
        $length = $this->judge->lengthOfLog($key);
        $by = $length === 0 || $length > 60 || mt_rand(1, 30) === 1 ? 'set' : 'append';
        $check = fn(mixed $outcome) => $this->judge->logged($key, $generation, $outcome, $by);
        if ($by === 'set') {
            return new KeyCall(
                'set',
                $key,
                static fn(Memcached $pool) => $pool->set($name, $token),
                static fn(Pipeline $line) => $line->set($name, $token),
                $check,
            );
        }

        return $key % 2 === 0
            ? new KeyCall(
                'append',
                $key,
                static fn(Memcached $pool) => $pool->append($name, $token),
                static fn(Pipeline $line) => $line->append($name, $token),
                $check,
            )
            : new KeyCall(
                'prepend',
                $key,
                static fn(Memcached $pool) => $pool->prepend($name, $token),
                static fn(Pipeline $line) => $line->prepend($name, $token),
                $check,
            );
    }

    public function readLog(int $key): KeyCall
    {
        $name = $this->judge->keys->name($key);
        $from = $this->judge->acknowledged($key);

        return new KeyCall('read', $key, static fn(
            Memcached $pool,
        ) => $pool->read($name), static fn(Pipeline $line) => $line->read($name), function (mixed $answer) use ($key,
        $from): void {
            if ($answer instanceof Answer && $answer->hit) {
                $this->judge->log($key, $answer->value, $from, 'log');
            }
        });
    }

    public function answered(int $key, mixed $answer, int $from, string $by): void
    {
        $this->judge->count(ClientCount::Keys);
        if (!$answer instanceof Answer || $answer->stale || $answer->lease !== null) {
            $this->judge->wrong($by, $key, $answer instanceof Outcome ? $answer->name : get_debug_type($answer));
        } elseif ($answer->hit) {
            $this->judge->value($key, $answer->value, $from, $by);
        } elseif ($answer->value !== null || $answer->version !== 0) {
            $this->judge->wrong($by, $key, 'a miss with a value or a version');
        }
    }
}
