<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Larder\Bench\Workload\Published\PublishedRun;

/** What is measured, with which subjects, and under which conditions. */
final readonly class Test
{
    /**
     * @param string $title for people, with the workload's number: "B1 keys"
     * @param string                                     $work          what one operation is, in a line
     * @param string $unit plural: "operations", "keys", "pairs", "requests"
     * @param list<string> $subjects ids that it is run with unless --clients names others
     * @param list<array<string, bool|float|int|string>> $quick the conditions of the quick profile, a chart each; none:
     *     the test is not in that profile
     * @param list<array<string, bool|float|int|string>> $full          those of the full profile
     * @param list<string>|null                          $quickSubjects of the quick profile, where it has fewer
     * @param int|null $blocks windows of each cell, where the windows take minutes; null: as many as the profile has
     * @param list<PublishedRun>                         $published     what `--as-published` adds
     */
    public function __construct(
        public string $name,
        public string $title,
        public string $work,
        public string $unit,
        public Workload $workload,
        public array $subjects,
        public array $quick = [],
        public array $full = [],
        public ?array $quickSubjects = null,
        public ?int $blocks = null,
        public array $published = [],
    ) {}
}
