<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Result\Role;
use Larder\Bench\Statistics\Looks;
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
        public Looks $looks,
    ) {}

    /** @return list<string> ids of the subjects that are compared with each other: no floor, no ceiling */
    public function contenders(): array
    {
        $contenders = array_filter(
            $this->subjects,
            static fn(Definition $subject): bool => $subject->role === Role::Contender || $subject->role === Role::Twin,
        );

        return array_values(array_map(static fn(Definition $subject): string => $subject->id, $contenders));
    }

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
