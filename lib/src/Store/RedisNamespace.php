<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Answer;
use Larder\Outcome;

/**
 * Sends the requests of a RedisStore to the servers of the keys, each under the namespace's present generation there.
 *
 * @internal
 */
final readonly class RedisNamespace
{
    /** Keys that one step of a sweep looks at. */
    private const STEP = '500';

    public function __construct(private RedisKeys $keys, private RedisServers $servers) {}

    public function read(string $key): Answer
    {
        RedisKeys::check($key);
        $server = $this->servers->of($key);
        try {
            [$generation, $reply] = $this->look($server, [$key], $this->servers->deadline());
        } catch (RedisFailure) {
            return new Answer(answered: false);
        }

        return self::answer($server, $generation, $reply) ?? new Answer();
    }

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, mixed> those that are there, in the order asked for
     */
    public function values(array $keys): array
    {
        RedisKeys::check(...$keys);
        $until = $this->servers->deadline();
        $found = array_fill_keys($keys, null);
        foreach ($this->servers->byServer(array_map(strval(...), array_keys($found))) as [$server, $its]) {
            try {
                $replies = $this->look($server, $its, $until);
            } catch (RedisFailure) {
                continue;
            }
            foreach ($its as $number => $key) {
                $found[$key] = self::answer($server, $replies[0], $replies[$number + 1]);
            }
        }

        return array_map(static fn(Answer $answer): mixed => $answer->value, array_filter($found));
    }

    /** The value; or the right to compute it; or neither. */
    public function readOrLease(string $key, string $life): Answer
    {
        RedisKeys::check($key);
        $server = $this->servers->of($key);
        $token = RedisValues::number();
        $until = $this->servers->deadline();
        try {
            // A hit, the usual case, costs a read only; otherwise the script looks again.
            [$generation, $reply] = $this->look($server, [$key], $until);
            $answer = self::answer($server, $generation, $reply);
            if ($answer !== null) {
                return $answer;
            }
            $reply = $server->run(
                RedisScript::Lease,
                $this->keys->of($key),
                [RedisValues::number(), $token, $life, 'value'],
                $until,
            );
        } catch (RedisFailure) {
            return new Answer(answered: false);
        }
        if (\is_string($reply)) {
            // The value has come meanwhile; or it cannot be read, and has to be made anew.
            return self::answer($server, substr($reply, 0, 8), $reply) ?? new Answer(lease: $this->lease($key, $life));
        }

        return new Answer(lease: $reply === 1 ? RedisValues::unpacked($token) : null);
    }

    public function lease(string $key, string $life): ?int
    {
        $token = RedisValues::number();

        return $this->run(RedisScript::Lease, $key, RedisValues::number(), $token, $life, '') === 1
            ? RedisValues::unpacked($token)
            : null;
    }

    public function outcome(RedisScript $script, string $key, string ...$arguments): Outcome
    {
        return self::outcomeOf($this->run($script, $key, ...$arguments));
    }

    /** The reply of the script, or how it failed. */
    public function run(RedisScript $script, string $key, string ...$arguments): mixed
    {
        RedisKeys::check($key);
        try {
            return $this->servers->of($key)->run(
                $script,
                [...$this->keys->of($key), $this->keys->spare],
                array_values($arguments),
                $this->servers->deadline(),
            );
        } catch (RedisFailure $failure) {
            return $failure->outcome();
        }
    }

    /**
     * @param array<array-key, string> $values
     *
     * @return array<array-key, Outcome>
     */
    public function put(array $values, string $life): array
    {
        $until = $this->servers->deadline();
        $outcomes = array_map(static fn(): Outcome => Outcome::Refused, $values);
        foreach ($this->servers->byServer(array_map(strval(...), array_keys($values))) as [$server, $its]) {
            try {
                $reply = $server->run(
                    RedisScript::Put,
                    $this->keys->of(...$its),
                    [RedisValues::number(), $life, ...array_map(static fn(string $key): string => $values[$key], $its)],
                    $until,
                );
                $outcome = self::outcomeOf($reply);
            } catch (RedisFailure $failure) {
                $outcome = $failure->outcome();
            }
            foreach ($its as $key) {
                $outcomes[$key] = $outcome;
            }
        }

        return $outcomes;
    }

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, Outcome>
     */
    public function remove(array $keys): array
    {
        RedisKeys::check(...$keys);
        $until = $this->servers->deadline();
        $outcomes = array_fill_keys($keys, Outcome::Refused);
        foreach ($this->servers->byServer(array_map(strval(...), array_keys($outcomes))) as [$server, $its]) {
            try {
                $replies = $server->run(RedisScript::Remove, $this->keys->of(...$its), [], $until);
                $replies = \is_array($replies) ? $replies : [];
            } catch (RedisFailure $failure) {
                $replies = array_fill(0, \count($its), $failure->outcome());
            }
            foreach ($its as $number => $key) {
                $outcomes[$key] = self::outcomeOf($replies[$number] ?? null);
            }
        }

        return $outcomes;
    }

    /** Done if it is done on all servers. */
    public function clear(): Outcome
    {
        $until = $this->servers->deadline();
        $outcomes = [];
        foreach ($this->servers->servers as $server) {
            try {
                $server->ask(['UNLINK', $this->keys->generation], $until);
                $outcomes[] = Outcome::Done;
            } catch (RedisFailure $failure) {
                $outcomes[] = $failure->outcome();
            }
        }
        foreach ($this->servers->servers as $number => $server) {
            if ($outcomes[$number] === Outcome::Done) {
                $this->sweep($server, $until);
            }
        }

        return \count(array_unique($outcomes, SORT_REGULAR)) === 1 ? $outcomes[0] : Outcome::Unknown;
    }

    /** Gives memory back. It removes only values of past generations, which no process can see. */
    private function sweep(RedisServer $server, int $until): void
    {
        $cursor = '0';
        try {
            do {
                $reply = $server->look(['SCAN', $cursor, 'MATCH', $this->keys->pattern, 'COUNT', self::STEP], $until);
                if (!\is_array($reply) || !\is_string($reply[0] ?? null) || !\is_array($reply[1] ?? null)) {
                    throw $server->distrust();
                }
                $cursor = $reply[0];
                $names = array_values(array_filter($reply[1], \is_string(...)));
                if ($names !== []) {
                    $server->run(RedisScript::Sweep, [$this->keys->generation, ...$names], [], $until);
                }
            } while ($cursor !== '0' && hrtime(true) < $until);
        } catch (RedisFailure) {
            // The next clear() goes on.
        }
    }

    /**
     * @param non-empty-list<string> $keys
     *
     * @return list<mixed> the generation, then what lies under each key
     *
     * @throws RedisFailure
     */
    private function look(RedisServer $server, array $keys, int $until): array
    {
        $replies = $server->look(
            ['MGET', $this->keys->generation, ...array_map($this->keys->value(...), $keys)],
            $until,
        );

        return \is_array($replies) && \count($replies) === \count($keys) + 1
            ? array_values($replies)
            : throw $server->distrust();
    }

    /** Null: a miss. */
    private static function answer(RedisServer $server, mixed $generation, mixed $reply): ?Answer
    {
        if (!\is_string($reply) || !RedisValues::isOf($generation, $reply)) {
            return null;
        }
        $value = RedisValues::read($reply);
        if ($value === null) {
            $server->unreadable();

            return null;
        }

        return new Answer(true, $value[0], RedisValues::version($reply));
    }

    public static function outcomeOf(mixed $reply): Outcome
    {
        return $reply instanceof Outcome ? $reply : match ($reply) {
            0 => Outcome::NotFound,
            1 => Outcome::Done,
            2 => Outcome::Exists,
            default => Outcome::Unknown,
        };
    }
}
