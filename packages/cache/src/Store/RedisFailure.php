<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Outcome;
use RuntimeException;
use Throwable;

/**
 * Why a Redis server gave no answer to a request. The store never lets it out.
 *
 * @internal
 */
final class RedisFailure extends RuntimeException
{
    private function __construct(
        /** A name of Larder\FailureKind. */
        public readonly string $kind,
        string $message,
        /** Whether the request may have been done all the same. */
        public readonly bool $isUnknown = false,
        /** Whether the server answered, is in step and may be asked for something else at once. */
        public readonly bool $isWell = false,
        ?Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }

    public static function down(): self
    {
        return new self('Down', 'it failed a moment ago and is not asked for a while');
    }

    public static function unreachable(Throwable $reason): self
    {
        $message = 'no connection, see that Redis is running there: ' . $reason->getMessage();

        return new self('Unreachable', $message, previous: $reason);
    }

    /** Nothing was sent. */
    public static function late(): self
    {
        return new self('TimedOut', 'the deadline passed before the request was sent', isWell: true);
    }

    public static function timedOut(?Throwable $reason = null): self
    {
        return new self('TimedOut', 'no reply before the deadline', isUnknown: true, previous: $reason);
    }

    public static function closed(?Throwable $reason = null): self
    {
        return new self('Closed', 'the connection was closed before a reply came', isUnknown: true, previous: $reason);
    }

    public static function outOfStep(?Throwable $reason = null): self
    {
        return new self('OutOfStep', 'what came was no reply to our request', isUnknown: true, previous: $reason);
    }

    public static function busy(): self
    {
        return new self('Busy', 'the application\'s client is in the middle of a MULTI or a pipeline', isWell: true);
    }

    public static function elsewhere(): self
    {
        $message = 'the application has selected another database since, so its values lie elsewhere: give the store a '
            . 'client of its own';

        return new self('Busy', $message, isWell: true);
    }

    /**
     * An error reply: nothing was done.
     *
     * A server that refuses writes only, because its memory or its disk is full, still answers reads; any other one is
     * left alone for a while.
     */
    public static function reply(string $error): self
    {
        return match (true) {
            str_starts_with($error, RedisScript::REPLICA) => new self(
                'Replica',
                'it is a replica, which takes no writes and may have old values: name its primary to the store ('
                    . trim(substr($error, \strlen(RedisScript::REPLICA))) . ')',
            ),
            str_starts_with($error, RedisScript::UNTOLD) => self::untold(
                trim(substr($error, \strlen(RedisScript::UNTOLD))),
            ),
            str_contains($error, 'only (P|S)SUBSCRIBE'),
            str_contains($error, 'only (P)SUBSCRIBE') => new self(
                'Busy',
                'the application\'s client is subscribed: give the store a client of its own',
                isWell: true,
            ),
            str_contains($error, 'OOM ') => new self(
                'NoMemory',
                'its memory is full: raise maxmemory, or, if no store on it keeps sessions or other data that nobody '
                    . 'makes again (survives), set maxmemory-policy to allkeys-lru: ' . $error,
                isWell: true,
            ),
            str_starts_with($error, 'MISCONF'),
            str_starts_with($error, 'NOREPLICAS') => new self('ServerError', $error, isWell: true),
            preg_match(
                '/^(NOAUTH|NOPERM|WRONGPASS|ERR (invalid password|AUTH|Client sent AUTH))/',
                $error,
            ) === 1 => new self('Denied', 'check the user, the password and what they may do: ' . $error),
            default => new self('ServerError', $error),
        };
    }

    private static function untold(string $error): self
    {
        return new self('Denied', \sprintf(
            'it does not say by INFO which data it has, so nothing is kept there: after a restart it may have values '
                . 'from before a change. If it refuses, type on it: ACL SETUSER NAME +info, with the name of the '
                . 'store\'s user, or "default" (%s)',
            $error,
        ));
    }

    /** The same while connecting: the request was not sent. */
    public function beforeTheRequest(): self
    {
        return new self($this->kind, $this->getMessage(), previous: $this);
    }

    public function outcome(): Outcome
    {
        return $this->isUnknown ? Outcome::Unknown : Outcome::Refused;
    }
}
