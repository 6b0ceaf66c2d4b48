<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Answer;
use Larder\Outcome;

/**
 * The stamps of a RedisStore are its versions: they are random, so each stands for one value on any server, for ever.
 *
 * @internal
 */
final readonly class RedisStamps
{
    public function __construct(private RedisNamespace $items) {}

    /**
     * See Confirming; with one script on each server.
     *
     * @param array<array-key, string> $stamps
     * @param list<string>             $wanted
     */
    public function confirm(array $stamps, array $wanted): Confirmation
    {
        $calls = [];
        foreach ($wanted as $key) {
            $calls[$key] = [$key, 'value'];
        }
        foreach (array_keys($stamps) as $key) {
            $calls[$key] ??= [(string) $key, 'version'];
        }
        $answers = $present = [];
        foreach ($this->items->run($calls, true) as $key => $reply) {
            $answers[$key] = $calls[$key][1] === 'value'
                ? $this->items->told((string) $key, $reply)
                : self::version($reply);
            if ($answers[$key]->hit) {
                $present[$key] = (string) $answers[$key]->version;
            }
        }

        return new Confirmation($answers, $present);
    }

    private static function version(mixed $reply): Answer
    {
        return \is_string($reply) && \strlen($reply) === RedisValues::HEAD
            ? new Answer(true, null, RedisValues::version($reply))
            : new Answer(answered: !$reply instanceof Outcome);
    }
}
