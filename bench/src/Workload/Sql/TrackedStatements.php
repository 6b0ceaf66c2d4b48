<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Sql;

use Closure;
use InvalidArgumentException;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Larder\Bench\Workload\Traced;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use PDO;

/**
 * A SELECT by key, or an UPDATE, outside of a transaction. Parameters: `database` (sqlite, mariadb or postgresql) and
 * `statement`: `unrecorded` (the value as a parameter, and no render), in a render `known` (the same), `literals` (a
 * text that differs from the one before in its value) or `new` (with an alias that was never there); and `update`.
 *
 * A render reads all that it reads in one recording, so a step has several reads.
 */
final readonly class TrackedStatements implements Operations, Traced
{
    private const READ = 'SELECT id, category, title FROM entry WHERE id = ?';
    private const WRITE = 'UPDATE entry SET title = ? WHERE id = ?';

    /** Reads of a render. */
    private const READS = 50;

    public function needs(): array
    {
        return [TrackedConnection::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // The table is made by the first connection.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof TrackedConnection);
        $pdo = $subject->pdo;
        $verifier = Verifier::of($job->checked);
        $statement = $job->string('statement', 'unrecorded');
        $row = $job->seed;
        if ($statement === 'update') {
            return new Step(static function () use ($pdo, $verifier, &$row): int {
                $row = $row % TrackedConnection::ROWS + 1;
                $update = $pdo->prepare(self::WRITE);
                $update->execute([uniqid(), $row]);
                $verifier->that($update->rowCount() === 1, "the row $row was not changed");

                return 0;
            }, how: 'by the number of rows');
        }
        $read = self::read($pdo, $statement);
        $reads = static function () use ($read, $verifier, &$row): void {
            for ($count = 0; $count < self::READS; ++$count) {
                $row = $row % TrackedConnection::ROWS + 1;
                $got = $read($row);
                $verifier->that(
                    \count($got) === 1 && \is_array($got[0]) && ($got[0]['id'] ?? null) === $row,
                    "not the row $row",
                );
            }
        };
        $isRendered = $statement !== 'unrecorded' && $pdo instanceof RecordingPdo;

        return new Step(static function () use ($pdo, $reads, $isRendered): int {
            $isRendered ? $pdo->tracker()->record(new RecordedReads($pdo->registry()), $reads) : $reads();

            return 0;
        }, self::READS);
    }

    public function figures(string $trace): array
    {
        preg_match_all('/^(\d+) +(getppid|sendto)\((.*)/m', $trace, $calls, PREG_SET_ORDER);
        $worker = $update = $commit = null;
        $last = 0;
        $sent = -1;
        foreach ($calls as [, $pid, $name, $arguments]) {
            if ($name === 'getppid') {
                if ($worker === $pid) {
                    break;
                }
                $worker ??= $pid;
                continue;
            }
            if ($worker !== $pid) {
                continue;
            }
            ++$sent;
            if (str_contains($arguments, 'UPDATE entry')) {
                $update ??= $sent;
            } elseif (str_contains($arguments, 'COMMIT')) {
                $commit ??= $sent;
                $last = $sent;
            }
        }

        // A plain connection sends no COMMIT.
        return $update === null || $commit === null ? [] : [
            'trips before the UPDATE' => (float) $update,
            'trips up to COMMIT' => (float) ($commit - $update - 1),
            'trips after COMMIT' => (float) ($sent - $last),
        ];
    }

    /** @return Closure(int): array<array-key, mixed> */
    private static function read(PDO $pdo, string $statement): Closure
    {
        $aliases = 0;
        $ask = static function (string $sql) use ($pdo): array {
            $result = $pdo->query($sql);

            return $result === false ? [] : $result->fetchAll();
        };

        return match ($statement) {
            'unrecorded', 'known' => static function (int $row) use ($pdo): array {
                $read = $pdo->prepare(self::READ);
                $read->execute([$row]);

                return $read->fetchAll();
            },
            'literals' => static fn(int $row): array => $ask(strtr(self::READ, ['?' => (string) $row])),
            'new' => static function (int $row) use ($ask, &$aliases): array {
                return $ask(strtr(self::READ, ['?' => (string) $row, 'title' => 'title AS t' . ++$aliases]));
            },
            default => throw new InvalidArgumentException(
                "statement must be unrecorded, known, literals, new or update, not $statement",
            ),
        };
    }
}
