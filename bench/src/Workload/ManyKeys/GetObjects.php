<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use Larder\Bench\Check\Seal;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/** Reads a batch of objects, three deep. All workers read the same ones. */
final readonly class GetObjects implements Operations
{
    public function __construct(private bool $many) {}

    public function needs(): array
    {
        return ObjectKeys::needs($this->many);
    }

    public function fill(Subject $subject, Job $job): void
    {
        $objects = new ObjectKeys($subject, $this->many);
        $seal = new Seal();
        foreach (Batch::all($job, $this->owner()) as $batch) {
            $objects->set($batch->objects($seal, 0));
        }
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        $batches = Batch::all($job, $this->owner());
        $count = \count($batches);
        $objects = new ObjectKeys($subject, $this->many);
        $verifier = Verifier::of($job->checked);
        $turn = $worker;

        return new Step(static function () use ($objects, $batches, $count, $verifier, &$turn): int {
            $keys = $batches[$turn++ % $count]->keys;
            $got = $objects->payloads($keys);
            $bytes = 0;
            foreach ($keys as $key) {
                $payload = $got[$key] ?? null;
                $verifier->value($key, $payload, 0, 0);
                $bytes += \strlen($payload ?? '');
            }
            $verifier->that(\count($got) === \count($keys), 'more keys in the reply than were asked for');

            return $bytes;
        }, Batch::size($job));
    }

    private function owner(): string
    {
        return $this->many ? 'objects' : 'object';
    }
}
