<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Answer;
use Larder\Outcome;
use Larder\Store\Sealing\SealedValues;
use Larder\Store\Sealing\SealFlaw;

/**
 * Sends the requests of a RedisStore to the servers of the keys, each under the namespace's present generation there.
 *
 * @internal
 */
final readonly class RedisNamespace
{
    /** Keys that one step of a sweep looks at. */
    private const STEP = '500';

    public function __construct(
        private RedisKeys $keys,
        private RedisServers $servers,
        private RedisValues $values,
        private ?SealedValues $sealed = null,
    ) {}

    /** @return array<string, AskedServer> by server */
    public function states(): array
    {
        $until = $this->servers->deadline();
        $states = [];
        foreach ($this->servers->servers as $server) {
            try {
                $info = $server->look(['INFO'], $until);
                $states[$server->name] = \is_string($info)
                    ? AskedServer::ofRedis($info)
                    : new AskedServer('it does not understand INFO');
            } catch (RedisFailure $failure) {
                $states[$server->name] = new AskedServer($failure->getMessage());
            }
        }

        return $states;
    }

    public function read(string $key): Answer
    {
        RedisKeys::check($key);
        $server = $this->servers->of($key);
        try {
            [$generation, $replies] = $this->look($server, [$key], $this->servers->deadline());
        } catch (RedisFailure) {
            return new Answer(answered: false);
        }

        return $this->answer($server, $key, $generation, $replies[1]) ?? new Answer();
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
            $its = array_values($its);
            try {
                [$generation, $replies] = $this->look($server, $its, $until);
            } catch (RedisFailure) {
                continue;
            }
            foreach ($its as $number => $key) {
                $found[$key] = $this->answer($server, $key, $generation, $replies[$number + 1]);
            }
        }

        return array_map(static fn(Answer $answer): mixed => $answer->value, array_filter($found));
    }

    /**
     * Operations in the words of RedisScript, by one script on each server.
     *
     * @template K of array-key
     *
     * @param array<K, non-empty-list<string>> $calls        a key, then the operation's name and arguments
     * @param bool                             $isRepeatable whether they may be done twice
     *
     * @return array<K, mixed> replies; an Outcome where there is none
     */
    public function run(array $calls, bool $isRepeatable = false): array
    {
        $keys = array_map(static fn(array $call): string => $call[0], $calls);
        RedisKeys::check(...array_values($keys));
        $until = $this->servers->deadline();
        $replies = array_map(static fn(): mixed => Outcome::Refused, $calls);
        foreach ($this->servers->byServer($keys) as [$server, $its]) {
            $arguments = [RedisValues::number()];
            foreach ($its as $name => $key) {
                array_push($arguments, ...\array_slice($calls[$name], 1));
            }
            $names = array_keys($its);
            try {
                $told = $server->run(
                    RedisScript::Operations,
                    $this->keys->of(...array_values($its)),
                    $arguments,
                    $until,
                    $isRepeatable,
                );
                if (\count($told) !== \count($names)) {
                    throw $server->distrust();
                }
            } catch (RedisFailure $failure) {
                $told = array_fill(0, \count($names), $failure->outcome());
            }
            foreach ($names as $number => $name) {
                $replies[$name] = $told[$number] ?? Outcome::Unknown;
            }
        }

        return $replies;
    }

    /**
     * A valueOrLease of the first key and values of the others, by the script that is made for that.
     *
     * @param non-empty-list<string> $keys
     *
     * @return list<mixed>|null replies; an Outcome where there is none; null: they lie on several servers
     */
    public function claim(array $keys, string $token, string $term): ?array
    {
        RedisKeys::check(...$keys);
        $groups = $this->servers->byServer($keys);
        if (\count($groups) > 1) {
            return null;
        }
        $server = $groups[0][0];
        $names = [$this->keys->generation, $this->keys->value($keys[0]), $this->keys->lease($keys[0])];
        foreach (\array_slice($keys, 1) as $key) {
            $names[] = $this->keys->value($key);
        }
        $until = $this->servers->deadline();
        try {
            $arguments = [RedisValues::number(), $token, $term];
            $told = $server->run(RedisScript::Claim, $names, $arguments, $until, isRepeatable: true);

            return \count($told) === \count($keys) ? $told : throw $server->distrust();
        } catch (RedisFailure $failure) {
            return array_fill(0, \count($keys), $failure->outcome());
        }
    }

    /** A fill, by the script that is made for that. */
    public function fill(string $key, string $life, string $value, string $token): mixed
    {
        RedisKeys::check($key);
        $names = [$this->keys->generation, $this->keys->value($key), $this->keys->lease($key)];
        try {
            return $this->servers->of($key)->run(
                RedisScript::Fill,
                $names,
                [$life, $value, $token],
                $this->servers->deadline(),
            )[0] ?? null;
        } catch (RedisFailure $failure) {
            return $failure->outcome();
        }
    }

    /** What a script replied with as the value of a key; "" is a miss, an Outcome no answer. */
    public function told(string $key, mixed $reply): Answer
    {
        $generation = \is_string($reply) ? substr($reply, 0, 8) : null;

        return $this->answer($this->servers->of($key), $key, $generation, $reply)
            ?? new Answer(answered: !$reply instanceof Outcome);
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
     * @return array{?string, list<mixed>} the generation, and what lies under it and each key
     *
     * @throws RedisFailure
     */
    private function look(RedisServer $server, array $keys, int $until): array
    {
        return $server->values([$this->keys->generation, ...array_map($this->keys->value(...), $keys)], $until);
    }

    /** Null: a miss. */
    private function answer(RedisServer $server, string $key, mixed $generation, mixed $reply): ?Answer
    {
        if (!\is_string($reply) || !RedisValues::isOf($generation, $reply)) {
            return null;
        }
        if ($this->sealed !== null) {
            $reply = $this->opened($this->sealed, $server->name, $key, $reply);
            if ($reply === null) {
                return null;
            }
        }
        $read = $this->values->read($reply);
        if ($read->flaw !== null) {
            $server->unreadable($key, $read);

            return null;
        }

        return new Answer(true, $read->value, RedisValues::version($reply));
    }

    /** A value as it was before it was sealed; null: it is not to be decoded. */
    private function opened(SealedValues $sealed, string $server, string $key, string $reply): ?string
    {
        $form = $reply[RedisValues::HEAD];
        if ($form === RedisValues::INTEGER && $sealed->isOpen($key, 0)) {
            return $reply;
        }
        $bytes = $form === RedisValues::SEALED
            ? $sealed->opened($key, $reply, RedisValues::HEAD + 1, $server)
            : $sealed->refuse($key, SealFlaw::Unsealed, $server);

        return $bytes === null ? null : substr($reply, 0, RedisValues::HEAD) . $bytes;
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
