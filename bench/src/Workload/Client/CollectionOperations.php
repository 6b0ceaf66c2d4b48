<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Client;

use Closure;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\Collections;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/** Rounds on a list, a set or a hash, which begin with its deletion. Each reply is checked. */
enum CollectionOperations: string implements Operations
{
    /** Four times: pushes at the end, pushes at the beginning and pops that again. */
    case Lists = 'list';

    /** Four times: adds a member to one set, looks for it, moves it to another set and draws one from there. */
    case Sets = 'set';

    /** Sets four fields by one call, looks for each and gets it, and gets all. */
    case Hashes = 'hash';

    public function needs(): array
    {
        return [Collections::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Every round begins with a deletion.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Collections);
        $keys = $job->ownKeys($worker, $this->value);
        $verifier = Verifier::of($job->checked);
        $turn = $job->firstGeneration();

        return match ($this) {
            self::Lists => new Step(self::lists($subject, $keys[0], $verifier, $turn), 1 + 3 * Job::OWN_KEYS),
            self::Sets => new Step(
                self::sets($subject, $keys[0], $keys[1] ?? '', $verifier, $turn),
                2 + 4 * Job::OWN_KEYS,
            ),
            self::Hashes => new Step(self::hashes($subject, $keys[0], $verifier, $turn), 3 + 2 * Job::OWN_KEYS),
        };
    }

    /** @return Closure(): int */
    private static function lists(Collections $subject, string $key, Verifier $verifier, int $turn): Closure
    {
        return static function () use ($subject, $key, $verifier, &$turn): int {
            ++$turn;
            $subject->delete($key);
            for ($number = 1; $number <= Job::OWN_KEYS; ++$number) {
                $verifier->counter($key, $subject->pushRight($key, "value:{$number}:{$turn}"), $number);
                $verifier->counter($key, $subject->pushLeft($key, "string:{$number}:{$turn}"), $number + 1);
                $verifier->text($key, $subject->popLeft($key), "string:{$number}:{$turn}");
            }

            return 0;
        };
    }

    /** @return Closure(): int */
    private static function sets(
        Collections $subject,
        string $one,
        string $other,
        Verifier $verifier,
        int $turn,
    ): Closure {
        $old = $one . ': the new member was there already';
        $missing = $one . ': the member just added is not there';
        $gone = $one . ': the member to be moved is not there';
        $strange = $other . ': drew a member that was not moved there';

        return static function () use (
            $subject,
            $one,
            $other,
            $verifier,
            $old,
            $missing,
            $gone,
            $strange,
            &$turn,
        ): int {
            ++$turn;
            $subject->delete($one);
            $subject->delete($other);
            $moved = [];
            for ($number = 1; $number <= Job::OWN_KEYS; ++$number) {
                $member = "value:{$number}:{$turn}";
                $moved[$member] = true;
                $verifier->that($subject->add($one, $member), $old);
                $verifier->that($subject->holds($one, $member), $missing);
                $verifier->that($subject->move($one, $other, $member), $gone);
                $drawn = $subject->random($other);
                $verifier->that($drawn !== null && isset($moved[$drawn]), $strange);
            }

            return 0;
        };
    }

    /** @return Closure(): int */
    private static function hashes(Collections $subject, string $key, Verifier $verifier, int $turn): Closure
    {
        $missing = $key . ': a field that was set is not there';
        $other = $key . ': the whole hash is not what was set';

        return static function () use ($subject, $key, $verifier, $missing, $other, &$turn): int {
            ++$turn;
            $fields = [
                'key:1' => "value:1:{$turn}",
                'key:2' => "value:2:{$turn}",
                'key:3' => "value:3:{$turn}",
                'key:4' => "value:4:{$turn}",
            ];
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
        };
    }
}
