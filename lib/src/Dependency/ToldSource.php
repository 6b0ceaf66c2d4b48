<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Dependency\Gate\WriterGates;
use Larder\Exception\UnfinishedWrite;

/**
 * Data of which the application itself says whether a transaction is open, or nobody does.
 *
 * @internal
 */
final readonly class ToldSource implements DataSource
{
    /** @param (Closure(): bool)|null $told whether a transaction is open; null: nobody knows */
    public function __construct(private ?Closure $told) {}

    public function names(): Names
    {
        return new Words();
    }

    public function isOf(object $connection): bool
    {
        return false;
    }

    /** @phpstan-impure */
    public function inTransaction(): bool
    {
        return $this->told !== null && ($this->told)();
    }

    /** @phpstan-impure */
    public function mayHaveWritten(): bool
    {
        return $this->told !== null && ($this->told)();
    }

    public function doubt(): ?Unstored
    {
        return $this->told === null ? Unstored::UnknownSnapshot : null;
    }

    public function recording(): null
    {
        return null;
    }

    public function change(Names $names, Closure $write, WriterGates $gates): mixed
    {
        $change = new Change($names, $gates->closeAndCheck(...));
        $made = $write($change);
        UnfinishedWrite::check($made);
        // The writer may not have called check(), or announced more after it.
        $gates->close($change->names());

        return $made;
    }
}
