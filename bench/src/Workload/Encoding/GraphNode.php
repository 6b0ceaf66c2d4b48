<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Encoding;

/** A part of the object graph. */
final class GraphNode
{
    /** @param list<self> $children */
    public function __construct(
        public string $name,
        public int $number,
        public float $weight,
        public array $children,
    ) {}

    /** @return array{name: string, number: int, weight: float, children: list<self>} */
    public function parts(): array
    {
        return [
            'name' => $this->name,
            'number' => $this->number,
            'weight' => $this->weight,
            'children' => $this->children,
        ];
    }
}
