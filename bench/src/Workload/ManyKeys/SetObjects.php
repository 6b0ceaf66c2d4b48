<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use Larder\Bench\Check\Seal;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/** Sets a batch of objects, three deep, serializing included; read back as in SetKeys. Each worker has keys of its own. */
final readonly class SetObjects implements Operations
{
    private const GENERATIONS = 3;
    private const CHECKED = 11;

    public function __construct(private bool $many) {}

    public function needs(): array
    {
        return ObjectKeys::needs($this->many);
    }

    public function fill(Subject $subject, Job $job): void
    {
        // What is read back has been set just before.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        $batches = Batch::all($job, ($this->many ? 'set-objects' : 'set-object') . $worker);
        $count = \count($batches);
        $seal = new Seal();
        $made = array_map(
            static fn(int $generation): array => array_map(static fn(Batch $batch): array => $batch->objects($seal, $generation), $batches),
            range(0, self::GENERATIONS - 1),
        );
        $objects = new ObjectKeys($subject, $this->many);
        $verifier = Verifier::of($job->checked);
        $turn = 0;

        return new Step(static function () use ($objects, $batches, $count, $made, $verifier, &$turn): int {
            $index = $turn % $count;
            $generation = intdiv($turn, $count) % self::GENERATIONS;
            $objects->set($made[$generation][$index]);
            if ($turn++ % self::CHECKED === 0) {
                $payloads = $objects->payloads($batches[$index]->keys);
                foreach ($batches[$index]->keys as $key) {
                    $verifier->value($key, $payloads[$key] ?? null, $generation, $generation);
                }
            }

            return 0;
        }, Batch::size($job));
    }
}
