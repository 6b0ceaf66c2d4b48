<?php

declare(strict_types=1);

namespace Larder\Dependency;

/**
 * What a compute made, and from what.
 *
 * @template-covariant T
 */
final readonly class ComputedValue
{
    /**
     * @param T                       $value
     * @param array<string, int>|null $stamps  version by name; null: it may not be stored
     * @param string|null             $refusal why it may not
     */
    public function __construct(
        public mixed $value,
        public ?array $stamps,
        public ?string $refusal = null,
    ) {}
}
