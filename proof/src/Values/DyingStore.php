<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Closure;
use Larder\Outcome;
use Larder\Proof\ForwardingStore;
use Larder\Store;
use Larder\Store\BatchStore;
use Larder\Store\Operation;
use Larder\Store\OperationKind;

/** The store of a writer that may die before each of its trips, and that may end rows late. */
final class DyingStore extends ForwardingStore implements BatchStore
{
    /** @var array<array-key, Operation<Outcome>> */
    private array $waiting = [];

    public function __construct(
        private readonly Store $mortal,
        private readonly DeathCountdown $countdown,
        private readonly bool $isLate = false,
    ) {
        parent::__construct($mortal);
    }

    public function batch(array $operations): array
    {
        $first = $operations === [] ? null : $operations[array_key_first($operations)];
        if ($this->isLate && $first?->kind === OperationKind::Delete) {
            /** @var array<array-key, Operation<Outcome>> $operations */
            $this->waiting = [...$this->waiting, ...array_values($operations)];

            return array_map(static fn(): Outcome => Outcome::Done, $operations);
        }

        return $this->pass(fn(): array => Operation::run($this->mortal, $operations));
    }

    /** The COMMIT has returned. */
    public function committed(): void
    {
        if ($this->waiting !== []) {
            $this->countdown->step();
            Operation::run($this->mortal, $this->waiting);
            $this->waiting = [];
        }
    }

    protected function pass(Closure $call): mixed
    {
        $this->countdown->step();

        return $call();
    }
}
