<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Redis;

use LogicException;

/**
 * What the filler has in place of its one connection when all instances are to hold all data: each call goes to every instance,
 * and the last one's answer comes back. Fills are not measured, so this may be slow, and a worker's path has no part of it.
 *
 * @template T of object
 *
 * @mixin T
 */
final readonly class Everywhere
{
    /** @param non-empty-list<T> $clients */
    public function __construct(private array $clients) {}

    /** @param list<mixed> $arguments */
    public function __call(string $name, array $arguments): mixed
    {
        $reply = null;
        foreach ($this->clients as $client) {
            $call = [$client, $name];
            if (!\is_callable($call)) {
                throw new LogicException(\sprintf('%s has no %s()', $client::class, $name));
            }
            $reply = $call(...$arguments);
        }

        return $reply;
    }
}
