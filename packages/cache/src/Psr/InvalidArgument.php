<?php

declare(strict_types=1);

namespace Larder\Psr;

use InvalidArgumentException;
use Larder\Exception\LarderException;
use Larder\Exception\UnknownName;
use Larder\Exception\UnstorableValue;
use Psr\Cache\CacheItemInterface;
use Psr\Cache\InvalidArgumentException as PoolException;
use Psr\SimpleCache\InvalidArgumentException as SimpleException;
use ValueError;

/** An argument that PSR-6 and PSR-16 refuse. */
final class InvalidArgument extends InvalidArgumentException implements LarderException, PoolException, SimpleException
{
    /** @internal */
    public static function noString(string $what, mixed $given): self
    {
        return new self(\sprintf('A %s is a string; %s was given', $what, get_debug_type($given)));
    }

    /** @internal */
    public static function empty(string $what): self
    {
        return new self(\sprintf('A %s has at least one character', $what));
    }

    /** @internal */
    public static function reserved(string $what, string $given, string $characters): self
    {
        return new self(\sprintf(
            'The %s "%s" contains one of the characters %s, which are reserved',
            $what,
            $given,
            $characters,
        ));
    }

    /** @internal */
    public static function unstorable(UnstorableValue $reason): self
    {
        return new self($reason->getMessage(), 0, $reason);
    }

    /** @internal */
    public static function unknown(UnknownName $reason): self
    {
        return new self($reason->getMessage(), 0, $reason);
    }

    /** @internal */
    public static function ttl(ValueError $reason): self
    {
        return new self($reason->getMessage(), 0, $reason);
    }

    /** @internal */
    public static function foreign(CacheItemInterface $item): self
    {
        return new self(\sprintf('A %s is not an item of this kind of pool', $item::class));
    }

    /** @internal */
    public static function negative(string $what, float $given): self
    {
        return new self(\sprintf('%s is a number from 0 on; %s was given', $what, var_export($given, true)));
    }
}
