<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Dependency\Gate\WriterGates;
use PDO;
use Throwable;

/**
 * The connection that the application has now: a process that answers many requests connects anew when one was lost.
 *
 * @internal
 */
final class CurrentSource implements DataSource, Recording
{
    /** Why what was made is not stored. */
    public const ANEW = 'the connection was made anew meanwhile, and a statement may be unseen';

    private PDO|HasSource|null $of = null;

    private DataSource $source;

    /**
     * @param Closure(): (PDO|HasSource) $connection
     * @param (Closure(): bool)|null     $told as $inTransaction of Gates
     */
    public function __construct(
        private readonly Closure $connection,
        private readonly ?Closure $told,
    ) {
        $this->source = $this->now();
    }

    /** @param (Closure(): bool)|null $told */
    public static function of(PDO|HasSource $connection, ?Closure $told): DataSource
    {
        // A RecordingPdo is a PDO too, whose changes would go unseen.
        return $connection instanceof HasSource ? $connection->source($told) : new PdoSource($connection, $told);
    }

    public function names(): Names
    {
        return $this->now()->names();
    }

    public function isOf(object $connection): bool
    {
        return $this->now()->isOf($connection);
    }

    /** @phpstan-impure */
    public function inTransaction(): bool
    {
        return $this->now()->inTransaction();
    }

    /** @phpstan-impure */
    public function mayHaveWritten(): bool
    {
        return $this->now()->mayHaveWritten();
    }

    public function doubt(): ?Unstored
    {
        return $this->now()->doubt();
    }

    public function recording(): self
    {
        return $this;
    }

    public function change(Names $names, Closure $write, WriterGates $gates): mixed
    {
        return $this->now()->change($names, $write, $gates);
    }

    public function inSnapshot(): bool
    {
        return $this->now()->recording()?->inSnapshot() === true;
    }

    public function record(Closure $compute, Closure $named, Closure $refused): mixed
    {
        $recording = $this->now()->recording();
        $of = $this->of;
        $made = $recording === null ? $compute() : $recording->record($compute, $named, $refused);
        if (!self::isStill($of, $this->connection)) {
            $refused(self::ANEW, Unstored::Failed);
        }

        return $made;
    }

    /**
     * Whether the connection is this one. One that cannot be had is another one.
     *
     * @param Closure(): object $connection
     */
    public static function isStill(?object $of, Closure $connection): bool
    {
        try {
            return $connection() === $of;
        } catch (Throwable) {
            return false;
        }
    }

    public function add(Name ...$names): void
    {
        $this->now()->recording()?->add(...$names);
    }

    public function bound(string $reason, float $until): void
    {
        $this->now()->recording()?->bound($reason, $until);
    }

    public function refuse(string $reason): void
    {
        $this->now()->recording()?->refuse($reason);
    }

    private function now(): DataSource
    {
        $now = ($this->connection)();
        if ($now !== $this->of) {
            $this->source = self::of($now, $this->told);
            $this->of = $now;
        }

        return $this->source;
    }
}
