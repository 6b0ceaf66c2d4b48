<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Answer;
use Larder\Outcome;

/**
 * What the calls of a MemcachedNamespace gave, and whether they were made under the present generation. Where that is
 * not sure, a read is not answered, and a write may have gone to a key of a past generation.
 *
 * @internal
 */
final readonly class MemcachedReplies
{
    /**
     * @param list<string> $items   as the servers know them
     * @param list<mixed>  $replies of as many calls; none: no process can see anything of what was sent
     * @param bool         $givesLeases whether the servers can give any
     */
    public function __construct(
        private bool $isSure,
        private array $items = [],
        private array $replies = [],
        private bool $givesLeases = true,
    ) {}

    public function outcome(int $call = 0): Outcome
    {
        return self::outcomeOf($this->isSure, $this->replies[$call] ?? Outcome::Refused);
    }

    public static function outcomeOf(bool $isSure, mixed $reply): Outcome
    {
        if ($isSure) {
            return $reply instanceof Outcome ? $reply : Outcome::Unknown;
        }

        return \is_int($reply) || $reply === Outcome::Done || $reply === Outcome::Unknown
            ? Outcome::Unknown
            : Outcome::Refused;
    }

    public function number(): int|Outcome
    {
        $reply = $this->replies[0] ?? null;

        return $this->isSure && \is_int($reply) ? $reply : $this->outcome();
    }

    public function isTrue(int $call = 0): bool
    {
        return $this->isSure && ($this->replies[$call] ?? null) === true;
    }

    public function lease(int $call = 0): ?int
    {
        $reply = $this->replies[$call] ?? null;
        if ($this->isSure && !$this->givesLeases) {
            return 0;
        }

        return $this->isSure && \is_int($reply) ? MemcachedKeys::mixed($this->items[$call], $reply) : null;
    }

    /** What a call gave that was queued for an operation of this kind. */
    public function result(OperationKind $kind, int $call): Answer|Outcome
    {
        return match ($kind) {
            OperationKind::Read, OperationKind::GetOrLease => $this->answer($call),
            OperationKind::Lease => new Answer(lease: $this->lease($call)),
            OperationKind::Release => $this->isTrue($call) ? Outcome::Done : Outcome::NotFound,
            default => $this->outcome($call),
        };
    }

    /** The name under which this call's key was sent. */
    public function item(int $call): string
    {
        return $this->items[$call];
    }

    public function answer(int $call = 0): Answer
    {
        $reply = $this->replies[$call] ?? null;

        return self::answerOf(
            $this->items[$call] ?? '',
            $this->isSure,
            $this->givesLeases ? $reply : self::withoutLease($reply),
        );
    }

    /** What a server says of a key that has no value, where it can give no lease: the one that is lost already. */
    public static function withoutLease(mixed $reply): mixed
    {
        return $reply instanceof Answer && $reply->answered && !$reply->hit ? new Answer(lease: 0) : $reply;
    }

    /** @param string $item the name under which the key was sent */
    public static function answerOf(string $item, bool $isSure, mixed $reply): Answer
    {
        if (!$isSure || !$reply instanceof Answer) {
            return new Answer(answered: false);
        }

        return new Answer(
            $reply->hit,
            $reply->value,
            $reply->version === 0 ? 0 : MemcachedKeys::mixed($item, $reply->version),
            $reply->stale,
            $reply->lease === null || $reply->lease === 0 ? $reply->lease : MemcachedKeys::mixed($item, $reply->lease),
            $reply->answered,
        );
    }
}
