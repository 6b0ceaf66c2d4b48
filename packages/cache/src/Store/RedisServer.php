<?php

declare(strict_types=1);

namespace Larder\Store;

/**
 * One server of a RedisStore. After a failure it is not asked for a while.
 *
 * A connection on which anything went wrong is closed, so that a late reply is not taken for another request's.
 *
 * @internal
 */
final class RedisServer
{
    /** Nanoseconds for which a server is what it said: a primary that is demoted may leave its connections open. */
    private const TRUSTED = 1_000_000_000;

    /** When the server may be asked again, by hrtime(true). */
    private int $restsUntil = PHP_INT_MIN;

    /** How many replies came on this connection. */
    private int $replies = 0;

    /** The process that connected: a forked child must not use its parent's connection. */
    private int $process = 0;

    /** @var array<string, string> by script */
    private array $hashes = [];

    /** The master_replid of the server, as the last script found it; empty where nothing is bound to it. */
    private string $id = '';

    /** The connection that it was found on; null: it has to be asked for. */
    private ?object $mark = null;

    /** By hrtime(true). */
    private int $trustedUntil = PHP_INT_MIN;

    /**
     * @param list<non-empty-list<string>> $greeting the first commands on each connection
     * @param int                          $rest     milliseconds
     */
    public function __construct(
        public readonly string $name,
        private readonly RedisConnection $connection,
        private readonly array $greeting,
        private readonly int $rest,
        private readonly ReportedFailures $failures,
        private readonly RedisBinding $binding,
    ) {}

    /**
     * What lies under some names, of which the first is the record of the generation.
     *
     * @param non-empty-list<string> $names
     * @param int                    $until by hrtime(true)
     *
     * @return array{?string, list<mixed>} the present generation, and what lies under the names
     *
     * @throws RedisFailure
     */
    public function values(array $names, int $until): array
    {
        $mark = $this->binding === RedisBinding::Request ? null : $this->connection->mark();
        $isTrusted = $this->binding === RedisBinding::None
            || ($mark !== null && $mark === $this->mark && hrtime(true) < $this->trustedUntil);
        if ($isTrusted) {
            $replies = $this->look(['MGET', ...$names], $until);
            // The request may have gone by another connection than the one that was asked.
            $isTrusted = $this->binding === RedisBinding::None || $this->connection->mark() === $mark;
        }
        if (!$isTrusted) {
            $replies = $this->run(RedisScript::Look, $names, [], $until, true);
        }
        if (!\is_array($replies ?? null) || \count($replies) !== \count($names)) {
            throw $this->distrust();
        }
        $replies = array_values($replies);
        $record = $replies[0];
        if (\is_string($record) && \strlen($record) === 8 + \strlen($this->id) && str_ends_with($record, $this->id)) {
            return [substr($record, 0, 8), $replies];
        }
        if (\is_string($record)) {
            // Others may know better which data the server has now.
            $this->mark = null;
        }

        return [null, $replies];
    }

    /**
     * @param non-empty-list<string> $keys
     * @param list<string>           $arguments
     * @param int                    $until        by hrtime(true)
     * @param bool                   $isRepeatable whether it may be done twice, see look()
     *
     * @return list<mixed>
     *
     * @throws RedisFailure
     */
    public function run(
        RedisScript $script,
        array $keys,
        array $arguments,
        int $until,
        bool $isRepeatable = false,
    ): array {
        $isBound = $this->binding !== RedisBinding::None;
        $rest = [(string) \count($keys), ...$keys, ...$arguments];
        $hash = $this->hashes[$script->name] ??= $script->hash($isBound);
        $command = ['EVALSHA', $hash, ...$rest];
        $asked = hrtime(true);
        $reply = $isRepeatable ? $this->look($command, $until) : $this->ask($command, $until);
        if ($reply === 'NOSCRIPT') {
            // The server lost its scripts, or never had this one.
            $reply = $this->ask(['EVAL', $script->text($isBound), ...$rest], $until);
        }
        $mark = \is_array($reply) ? array_pop($reply) : null;
        if (!\is_array($reply) || !\is_string($mark) || !str_starts_with($mark, RedisScript::MARK)) {
            throw $this->distrust();
        }
        $this->id = rtrim(substr($mark, \strlen(RedisScript::MARK)), '!');
        $this->mark = $this->connection->mark();
        $this->trustedUntil = $asked + self::TRUSTED;
        if (str_ends_with($mark, '!')) {
            $this->failures->add(
                'Emptied',
                $this->name,
                'it was restarted, took or lost the place of a primary, or has its first replica: what was in the '
                    . 'store may be old, so all of it is made anew',
            );
        }

        return array_values($reply);
    }

    /**
     * As ask(), for requests that may be done twice, since they change nothing or take a lease by a token of their own:
     * if the server has closed the connection since the last request, it is asked once more, and so an answer comes.
     *
     * @param non-empty-list<string> $command
     *
     * @throws RedisFailure
     */
    public function look(array $command, int $until): mixed
    {
        $replies = $this->replies;
        try {
            return $this->ask($command, $until);
        } catch (RedisFailure $failure) {
            return $failure->kind === 'Closed' && $replies > 0 ? $this->ask($command, $until) : throw $failure;
        }
    }

    /**
     * @param non-empty-list<string> $command
     *
     * @throws RedisFailure
     */
    public function ask(array $command, int $until): mixed
    {
        try {
            $this->open($until);
            $reply = $this->connection->ask($command, $until);
            ++$this->replies;

            return $reply;
        } catch (RedisFailure $failure) {
            $this->failed($failure);
            throw $failure;
        }
    }

    /** The reply does not fit the request. */
    public function distrust(): RedisFailure
    {
        $failure = RedisFailure::outOfStep();
        $this->failed($failure);

        return $failure;
    }

    /** A value that is there and cannot be read. */
    public function unreadable(string $key, StoredBytes $read): void
    {
        $this->failures->unreadable($key, $this->name, $read);
    }

    /** @throws RedisFailure */
    private function open(int $until): void
    {
        $now = hrtime(true);
        if ($now < $this->restsUntil) {
            throw RedisFailure::down();
        }
        if ($now >= $until) {
            throw RedisFailure::late();
        }
        if ($this->process !== getmypid()) {
            $this->close();
            $this->process = (int) getmypid();
        }
        if ($this->connection->isOpen()) {
            return;
        }
        $this->connection->open($until);
        foreach ($this->greeting as $command) {
            try {
                $this->connection->ask($command, $until);
            } catch (RedisFailure $failure) {
                throw $failure->beforeTheRequest();
            }
        }
    }

    private function failed(RedisFailure $failure): void
    {
        if ($failure->kind === 'Down') {
            $this->failures->count('Down');

            return;
        }
        $this->failures->add($failure->kind, $this->name, $failure->getMessage());
        if ($failure->isWell) {
            return;
        }
        // A connection that worked before may have been closed because it was idle, or by a restart.
        if ($failure->kind !== 'Closed' || $this->replies === 0) {
            $this->restsUntil = hrtime(true) + $this->rest * 1_000_000;
        }
        $this->close();
    }

    private function close(): void
    {
        $this->connection->close();
        $this->mark = null;
        $this->replies = 0;
    }
}
