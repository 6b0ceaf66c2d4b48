<?php

declare(strict_types=1);

namespace Larder\Dependency;

/**
 * A computed value, and what it was made from.
 *
 * @internal
 *
 * @template-covariant T
 */
final readonly class ComputedValue
{
    /**
     * @param T                       $value
     * @param array<string, int>|null $stamps  version by name; null: the value may not be stored
     * @param Unstored|null           $why     it may not be stored; null: it may
     * @param string                  $refusal the same in words
     * @param bool                    $isOld   whether its data may come from a state before the compute began
     */
    public function __construct(
        public mixed $value,
        public ?array $stamps,
        public ?Unstored $why = null,
        public string $refusal = '',
        public bool $isOld = false,
    ) {}
}
