<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Client;

use Larder\Bench\Subject\Collections;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Larder\Bench\Workload\Verifier;

/** Deletes a hash, sets four fields by one call, looks for each and gets it, and gets all. */
final readonly class HashOps implements Operations
{
    public function needs(): array
    {
        return [Collections::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Every round begins with a delete.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Collections);
        $key = OwnKeys::of($job, $worker, 'hash')[0];
        $verifier = Verifier::for($subject);
        $missing = $key . ': a field that was set is not there';
        $other = $key . ': the whole hash is not what was set';
        $turn = OwnKeys::firstGeneration($job);

        return new Step(static function () use ($subject, $key, $verifier, $missing, $other, &$turn): int {
            ++$turn;
            $fields = ['key:1' => "value:1:{$turn}", 'key:2' => "value:2:{$turn}", 'key:3' => "value:3:{$turn}", 'key:4' => "value:4:{$turn}"];
            $subject->delete($key);
            $subject->setFields($key, $fields);
            foreach ($fields as $field => $value) {
                $verifier->that($subject->hasField($key, $field), $missing);
                $verifier->text($key, $subject->field($key, $field), $value);
            }
            $all = $subject->fields($key);
            ksort($all);
            $verifier->that($all === $fields, $other);

            return 0;
        }, 3 + 2 * OwnKeys::COUNT);
    }
}
