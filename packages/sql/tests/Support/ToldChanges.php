<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Closure;
use Larder\Sql\Ledger\AnnouncedChange;

/** Notes what a ledger tells of its changes, and what another connection sees when it is done. */
final class ToldChanges
{
    /** @var list<array{string, list<string>|null}|string> */
    private array $told = [];

    /** @param Closure(): mixed $seen after COMMIT */
    public function __construct(private readonly Closure $seen) {}

    public function announced(AnnouncedChange $change): Closure
    {
        $isOfRow = \in_array('news:4', array_column($change->names, 'name'), true);
        $this->told[] = [$isOfRow ? 'news:4' : '', $change->dropped];

        return function (): void {
            $seen = ($this->seen)();
            $this->told[] = 'after ' . (\is_string($seen) ? $seen : 'nothing');
        };
    }

    /**
     * @phpstan-impure
     *
     * @return list<array{string, list<string>|null}|string> since the last call: whether the name news:4 is in a change
     *     and which pages went, or what was seen after COMMIT
     */
    public function take(): array
    {
        [$told, $this->told] = [$this->told, []];

        return $told;
    }
}
