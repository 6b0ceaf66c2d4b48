<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Larder\Answer;
use Larder\Memcached;
use Larder\Outcome;
use Larder\Pipeline;

/** Makes the calls for one key. What the key may hold is noted when the call is made, so it must be sent at once. */
final readonly class KeyCalls
{
    /** Seconds; none ends within a run. */
    private const TTL = 100_000.0;

    /** Tokens after which a log is begun anew. */
    private const LONGEST = 60;

    public function __construct(private ClientJudge $judge) {}

    public function read(int $key): KeyCall
    {
        $from = $this->judge->acknowledged($key);
        $name = $this->judge->keys->name($key);
        $check = fn(mixed $answer) => $this->answered($key, $answer, $from, 'read');
        $gets = static fn(Memcached|Pipeline $to): mixed => $to instanceof Memcached
            ? $to->gets($name)
            : $to->read($name);

        return match (mt_rand(0, 3)) {
            0 => new KeyCall(
                'getAndTouch',
                static fn(Memcached|Pipeline $to) => $to->getAndTouch($name, self::TTL),
                $check,
            ),
            1 => new KeyCall('gets', $gets, $check),
            default => new KeyCall('read', static fn(Memcached|Pipeline $to) => $to->read($name), $check),
        };
    }

    public function has(int $key): KeyCall
    {
        $name = $this->judge->keys->name($key);
        $check = function (mixed $has) use ($key): void {
            if (!\is_bool($has) || ($has && $this->judge->begun($key) === 0)) {
                $this->judge->wrong('has', $key, 'it was never written');
            }
        };

        return new KeyCall('has', static fn(Memcached|Pipeline $to) => $to->has($name), $check);
    }

    public function write(int $key): KeyCall
    {
        $name = $this->judge->keys->name($key);
        $generation = $this->judge->begin($key);
        $value = $this->judge->valueOf($key, $generation);
        $ttl = mt_rand(0, 3) === 0 ? self::TTL : null;
        $check = fn(mixed $outcome) => $this->judge->outcome($key, $generation, $outcome, 'write');

        return match (mt_rand(0, 5)) {
            0 => new KeyCall('add', static fn(Memcached|Pipeline $to) => $to->add($name, $value, $ttl), $check),
            1 => new KeyCall('replace', static fn(Memcached|Pipeline $to) => $to->replace($name, $value, $ttl), $check),
            default => new KeyCall('set', static fn(Memcached|Pipeline $to) => $to->set($name, $value, $ttl), $check),
        };
    }

    public function cas(int $key, int $version): KeyCall
    {
        $name = $this->judge->keys->name($key);
        $generation = $this->judge->begin($key);
        $value = $this->judge->valueOf($key, $generation);
        $check = fn(mixed $outcome) => $this->judge->outcome($key, $generation, $outcome, 'cas');

        return new KeyCall('cas', static fn(Memcached|Pipeline $to) => $to->cas($name, $value, $version), $check);
    }

    public function delete(int $key): KeyCall
    {
        $name = $this->judge->keys->name($key);
        $generation = $this->judge->begin($key);
        $check = fn(mixed $outcome) => $this->judge->outcome($key, $generation, $outcome, 'delete');

        return new KeyCall('delete', static fn(Memcached|Pipeline $to) => $to->delete($name), $check);
    }

    public function touch(int $key): KeyCall
    {
        $name = $this->judge->keys->name($key);
        $check = fn(mixed $outcome) => $this->judge->tell($outcome, $key, 'touch');

        return new KeyCall('touch', static fn(Memcached|Pipeline $to) => $to->touch($name, self::TTL), $check);
    }

    public function count(int $key): KeyCall
    {
        $name = $this->judge->keys->name($key);
        $from = $this->judge->acknowledged($key);
        $this->judge->begin($key);
        $check = fn(mixed $given) => $this->judge->counted($key, $given, $from, 'count');

        return $key % 2 === 0
            ? new KeyCall('increment', static fn(Memcached|Pipeline $to) => $to->increment($name, 1, 1), $check)
            : new KeyCall('decrement', static fn(Memcached|Pipeline $to) => $to->decrement($name, 1, -1), $check);
    }

    /** Begins a log anew, or adds a token to it. */
    public function log(int $key): KeyCall
    {
        $name = $this->judge->keys->name($key);
        $generation = $this->judge->begin($key);
        $token = ClientJudge::token($key, $generation);
        $length = $this->judge->lengthOfLog($key);
        $by = $length === 0 || $length > self::LONGEST || mt_rand(1, 30) === 1 ? 'set' : 'append';
        $check = fn(mixed $outcome) => $this->judge->logged($key, $generation, $outcome, $by);

        return match (true) {
            $by === 'set' => new KeyCall('set', static fn(Memcached|Pipeline $to) => $to->set($name, $token), $check),
            $key % 2 === 0 => new KeyCall(
                'append',
                static fn(Memcached|Pipeline $to) => $to->append($name, $token),
                $check,
            ),
            default => new KeyCall('prepend', static fn(Memcached|Pipeline $to) => $to->prepend($name, $token), $check),
        };
    }

    public function readLog(int $key): KeyCall
    {
        $name = $this->judge->keys->name($key);
        $from = $this->judge->acknowledged($key);
        $check = function (mixed $answer) use ($key, $from): void {
            if ($answer instanceof Answer && $answer->hit) {
                $this->judge->log($key, $answer->value, $from, 'log');
            }
        };

        return new KeyCall('read', static fn(Memcached|Pipeline $to) => $to->read($name), $check);
    }

    public function answered(int $key, mixed $answer, int $from, string $by): void
    {
        $this->judge->count(ClientCount::KeysRead);
        if (!$answer instanceof Answer || $answer->stale || $answer->lease !== null) {
            $shown = $answer instanceof Outcome ? $answer->name : get_debug_type($answer);
            $this->judge->wrong($by, $key, $shown);
        } elseif ($answer->hit) {
            $this->judge->value($key, $answer->value, $from, $by);
        } elseif ($answer->value !== null || $answer->version !== 0) {
            $this->judge->wrong($by, $key, 'a miss with a value or a version');
        }
    }
}
