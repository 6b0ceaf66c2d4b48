<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Answer;
use Larder\Exception\UnstorableValue;
use Larder\Store;
use PHPUnit\Framework\Attributes\CoversClass;

/** The contract asks for nothing that only shared memory could do. */
#[CoversClass(Answer::class)]
#[CoversClass(UnstorableValue::class)]
final class ArrayStoreTest extends StoreContract
{
    /** @var array<string, Shelf> */
    private array $shelves = [];

    protected function open(string $namespace): Store
    {
        return new ArrayStore($this->shelves[$namespace] ??= new Shelf());
    }
}
