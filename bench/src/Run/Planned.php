<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Test;

/** A chart to be measured. */
final readonly class Planned
{
    /**
     * @param array<string, bool|float|int|string> $parameters
     * @param list<Definition>                     $subjects
     */
    public function __construct(
        public Test $test,
        public array $parameters,
        public array $subjects,
        public int $blocks,
    ) {}

    /** Stable over runs, so that `compare` finds the same chart in both. */
    public function id(): string
    {
        $conditions = $this->parameters;
        ksort($conditions);

        $words = [];
        foreach ($conditions as $name => $value) {
            $words[] = $name . '=' . (\is_bool($value) ? ($value ? 'yes' : 'no') : $value);
        }

        return $this->test->name . ($words === [] ? '' : '?' . implode('&', $words));
    }
}
