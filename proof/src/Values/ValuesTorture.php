<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Larder\Proof\About;
use Larder\Proof\MissingGuard;
use Larder\Proof\Option;
use Larder\Proof\RequiredExtension;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\Torture;
use Larder\Testbed\Server\DatabaseKind;

/** Runs readers and writers on one mode after the other, each with a store and a database of its own. */
final class ValuesTorture implements Torture
{
    /** The part of the reads beside a closed gate that may wait, of few readers: one had asked before it was closed. */
    private const WAITING = 0.03;
    private const FEW = 2;

    /** Hits by which a guard that was taken away was found, where nothing goes back. */
    private const HITS = 500;

    /** The same of identity, which was found by 240 to 1,444 hits, on a store that goes back, in twelve runs. */
    private const SAVED_HITS = 1_000;

    public function about(): About
    {
        return new About(
            'values',
            'Changes rows, kills who does, and counts cached values that are older than what was committed',
            <<<'HELP'
            Example: <info>script/torture values --seconds=300 --settings=memcached-gated:tiers-strict</info>

            Writers change rows of a database, each of which counts its versions, and call change(). COMMIT is
            delayed at times, and writers kill themselves between every two steps. Readers take values made from the
            rows by remember(), and no value may have a version below the last one whose COMMIT had returned before they
            asked. Versions are taken out of the store at random, the store is cleared, and its server is killed and
            started again. Some computes are slow; some readers are in a transaction, or in the middle of a statement,
            that began before a change; some store by set(). Beside a gate that stays closed, which is often a dead
            writer's, readers may not wait for each other.

            The settings saved-… are a Redis that writes a snapshot every 0.1 s, is killed every second and begins anew
            with the last one; by a client of the store (on) or of the application (with).

            On MariaDB and PostgreSQL only the settings run whose versions are in the database (strict).
            With versions in the store (gated) writers do not die after COMMIT while items are lost: that is the one
            case that mode does not cover. Where tiers may lag by 0.2 s, an older value is stale if it is older than
            that and the read itself. The exit code is 1 if anything was stale, and 2 if the run was too poor to show
            anything.
            HELP,
            [
                Option::seconds(2),
                Option::database(),
                Option::several('settings', 'Stores and where their versions are kept', array_keys(StoreMode::all())),
                Option::seed(),
                Option::guard(
                    'broken',
                    'Take a guard away, to see that it is missed: close (gates do not close),'
                    . ' check (nobody looks before COMMIT), order (versions are taken after the data), snapshot'
                    . ' (nobody sees that a reader is in an old state of the database), identity (nobody asks a Redis'
                    . ' whether its data is that of before)',
                    MissingGuard::Close,
                    MissingGuard::Check,
                    MissingGuard::Order,
                    MissingGuard::Snapshot,
                    MissingGuard::Identity,
                ),
                Option::extension(),
            ],
            RequiredExtension::Loaded,
        );
    }

    public function run(Run $run): Result
    {
        $kind = DatabaseKind::from($run->text('database'));
        $modes = array_filter(
            array_intersect_key(StoreMode::all(), array_flip($run->words('settings'))),
            static fn(StoreMode $mode): bool => $mode->isStrict || $kind === DatabaseKind::Sqlite,
        );
        $trials = array_merge(...array_values(array_map(
            static fn(StoreMode $mode): array => array_map(
                static fn(Hazard $hazard): array => [$mode, $hazard],
                $mode->hazards(),
            ),
            $modes,
        )));
        $counts = [];
        $restarts = 0;
        foreach ($trials as $i => [$mode, $hazard]) {
            $missing = MissingGuard::from($run->text('broken'));
            $trial = new Trial($run, $run->directory() . '/' . $i, $mode, $hazard, $kind, $missing);
            $restarts += $trial->run($run, $run->seconds() / \count($trials), $run->seed() + 1_000_000 * $i);
            $sums = self::counts($trial);
            $counts[] = $sums + ($mode->goesBack() ? ['saved_hits' => $sums['hits']] : []);
            $run->tell(self::line($trial, $sums));
            $run->stop();
            if ($trial->isMissed()) {
                break;
            }
        }
        $hasServer = array_filter($modes, static fn(StoreMode $mode): bool => $mode->store !== 'memory') !== [];
        $hasGates = array_filter($modes, static fn(StoreMode $mode): bool => !$mode->isStrict) !== [];
        $findings = $run->findings()->all();

        return self::result($counts, $hasServer ? $restarts : null, $findings, $hasGates);
    }

    /**
     * @param list<array<string, int>> $trials   counts of each, by its name; saved_hits where its store goes back
     * @param int|null                 $restarts null: there was no server
     * @param list<string>             $findings
     * @param bool                     $hasGates whether there was a trial with versions in the store
     */
    public static function result(
        array $trials,
        ?int $restarts,
        array $findings,
        bool $hasGates = true,
    ): Result {
        $longest = max(0, ...array_column($trials, 'longest_lag'));
        $sums = Result::added($trials, ['longest_lag']);
        $isPoor = static fn(array $counts): bool => $counts['hits'] < 20 || $counts['changes'] < 5;
        $once = [
            'kills', 'told_late_hits', 'old_transactions', 'old_cursors', 'slow_computes', 'values_set',
            ...($hasGates ? ['reads_beside_closed_gates'] : []),
        ];
        foreach ($trials as $number => $counts) {
            [$reads, $waits] = [$counts['reads_beside_closed_gates'], $counts['waits_beside_closed_gates']];
            if ($waits > max(self::FEW, self::WAITING * $reads)) {
                $findings[] = "trial $number: $waits of $reads reads beside a closed gate waited";
            }
        }

        return new Result(
            [
                ...$sums,
                'restarts' => $restarts ?? 0,
                'longest_lag_ms' => round($longest / 1e6, 1),
                'findings' => $findings,
            ],
            \sprintf('stale: %d of %d reads, %d changes', $sums['stale'], $sums['reads'], $sums['changes']),
            $findings === [] && $sums['stale'] === 0,
            array_filter($trials, $isPoor) === []
                && $sums['hits'] >= self::HITS
                && ($sums['saved_hits'] ?? self::SAVED_HITS) >= self::SAVED_HITS
                && $restarts !== 0
                && !\in_array(0, array_intersect_key($sums, array_flip($once)), true),
            'Too few reads, hits or changes to show anything, or something that a run must meet never happened.',
        );
    }

    /** @return array<string, int> */
    private static function counts(Trial $trial): array
    {
        return Result::sums($trial->board, ValueCount::cases())
            + ['longest_lag' => $trial->board->max('longestLag')];
    }

    /** @param array<string, int> $counts */
    private static function line(Trial $trial, array $counts): string
    {
        $line = \sprintf(
            '%-15s %-6s %d stale of %d reads (%d %% hits), %d changes (%d rolled back), %d kills, %d losses',
            $trial->name,
            $trial->hazard->value,
            $counts['stale'],
            $counts['reads'],
            intdiv(100 * $counts['hits'], max(1, $counts['reads'])),
            $counts['changes'],
            $counts['rolled_back'],
            $counts['kills'],
            $counts['losses'],
        );

        return $trial->mode->lag > 0.0
            ? \sprintf('%s, at most %.1f ms old', $line, $counts['longest_lag'] / 1e6)
            : $line;
    }
}
