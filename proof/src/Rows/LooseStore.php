<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Larder\Proof\ForwardingStore;
use Larder\Store;
use Larder\Store\BatchStore;
use Larder\Store\Operation;
use Larder\Store\OperationKind;

/** A store that stores what was read whether its lease was lost or not. */
final class LooseStore extends ForwardingStore implements BatchStore
{
    public function __construct(private readonly Store $real)
    {
        parent::__construct($real);
    }

    public function batch(array $operations): array
    {
        return Operation::run($this->real, array_map(static fn(Operation $operation): Operation => match (true) {
            \in_array($operation->kind, [OperationKind::Set, OperationKind::Cas], true)
                => Operation::set($operation->key, $operation->value, $operation->seconds),
            default => $operation,
        }, $operations));
    }
}
