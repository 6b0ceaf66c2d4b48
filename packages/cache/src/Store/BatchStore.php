<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Answer;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use Larder\Store;

/**
 * A store that does many operations, of all kinds and on any number of keys, in one round trip.
 *
 * A class that forwards to such a store implements this too; without it each operation is a call of its own.
 */
interface BatchStore extends Store
{
    /**
     * As Operation::run(), which says which of these results an operation has.
     *
     * @param array<array-key, Operation<Answer|Outcome|UnstorableValue>> $operations
     *
     * @return array<array-key, Answer|Outcome|UnstorableValue> by the same keys
     */
    public function batch(array $operations): array;
}
