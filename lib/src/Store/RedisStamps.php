<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Answer;

/**
 * The stamps of a RedisStore are its versions: they are random, so each stands for one value on any server, for ever.
 *
 * @internal
 */
final readonly class RedisStamps
{
    public function __construct(private RedisKeys $keys, private RedisServers $servers) {}

    /**
     * See Confirming; with one script on each server.
     *
     * @param array<array-key, string> $stamps
     * @param list<string>             $wanted
     */
    public function confirm(array $stamps, array $wanted): Confirmation
    {
        $wants = array_fill_keys($wanted, 'value');
        $keys = array_map(strval(...), array_keys($wants + $stamps));
        RedisKeys::check(...$keys);
        $until = $this->servers->deadline();
        $answers = $present = [];
        foreach ($this->servers->byServer($keys) as [$server, $its]) {
            try {
                $replies = $server->run(
                    RedisScript::Confirm,
                    $this->keys->of(...$its),
                    array_map(static fn(string $key): string => $wants[$key] ?? 'version', $its),
                    $until,
                );
                if (!\is_array($replies) || \count($replies) !== \count($its)) {
                    throw $server->distrust();
                }
            } catch (RedisFailure) {
                $answers += array_fill_keys($its, new Answer(answered: false));
                continue;
            }
            foreach ($its as $number => $key) {
                $reply = $replies[$number] ?? null;
                $answers[$key] = \is_string($reply) ? self::answer($server, $reply, isset($wants[$key])) : new Answer();
                if ($answers[$key]->hit) {
                    $present[$key] = (string) $answers[$key]->version;
                }
            }
        }

        return new Confirmation($answers, $present);
    }

    /** @param string $reply head and value, or the head alone; anything else: a miss */
    private static function answer(RedisServer $server, string $reply, bool $isValue): Answer
    {
        if (!$isValue) {
            return \strlen($reply) === RedisValues::HEAD
                ? new Answer(true, null, RedisValues::version($reply))
                : new Answer();
        }
        if (\strlen($reply) <= RedisValues::HEAD) {
            return new Answer();
        }
        $value = RedisValues::read($reply);
        if ($value === null) {
            $server->unreadable();

            return new Answer();
        }

        return new Answer(true, $value[0], RedisValues::version($reply));
    }
}
