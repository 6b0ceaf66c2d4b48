<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Larder\Proof\About;
use Larder\Proof\Option;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\Torture;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Sql\Database;

/** Compares what random statements read and write with the names that the connection derives from them. */
final readonly class ExactTorture implements Torture
{
    /** Findings after which it ends. */
    private const ENOUGH = 5;

    /** How many times the pairs asked for it may take until enough results have changed. */
    private const MOST_TIMES = 4;

    public function about(): About
    {
        return new About(
            'exact',
            'Reads and writes random schemas by random SQL, and looks for a read that changed and was kept',
            <<<'HELP'
            Example: <info>script/torture exact --pairs=200000</info>

            Makes random schemas for the database, with keys of all kinds, foreign keys, triggers and views, and in each
            of them random SELECTs and random writes. A SELECT is recorded and registered as if it were a page. A pair
            is such a read and one write after it: if the result of the read has changed, its page must be gone, and a
            version of its names must have risen. Every write is also done on a bare connection, which must return the
            same and have the same rows in the end. The exit code is 1 if anything is wrong, and what is printed is the
            smallest schema, read and write that show it.

            Of reads by one plain equality it counts those that were dropped in bulk, and those that were dropped though
            no row was touched that is under their names. Schema number N of a run begins from the seed plus N.
            HELP,
            [
                Option::number('pairs', 'Reads judged after a write', 1, 1_000_000_000, 20_000),
                Option::seed(),
                Option::choice(
                    'database',
                    'Whose SQL and whose ledger',
                    array_column(Database::cases(), 'value'),
                    'sqlite',
                ),
                Option::choice('registry', 'Declare what has a key of one column, or let the schema tell', ['declared',
                    'schema'], 'declared'),
                Option::choice(
                    'without',
                    'Switch a rule off, to see that it is missed',
                    array_column(Rule::cases(), 'value'),
                ),
                Option::choice('broken', 'Give wrong names to reads, or trust writers that tell wrong names, to see'
                    . ' that it is found', array_values(array_filter(array_column(Blindness::cases(), 'value')))),
            ],
        );
    }

    public function run(Run $run): Result
    {
        $rule = Rule::tryFrom($run->text('without'));
        $rule?->switchOff();
        $enough = $rule === null ? self::ENOUGH : 1;
        $scratch = new TemporaryDirectory('larder-exact');
        $database = Database::from($run->text('database'));
        $host = self::host($database, $scratch);
        $blindness = Blindness::from($run->text('broken'));
        // Only SQLite's tables can be declared here.
        $declares = $run->text('registry') === 'declared' && $database === Database::Sqlite;
        $tally = new Tally();
        $findings = [];
        $lines = [];
        $began = hrtime(true);
        $told = $began;
        try {
            $pairs = $run->number('pairs');
            for ($n = 0; self::wants($tally, $pairs) && \count($findings) < $enough; ++$n) {
                $seed = $run->seed() + $n;
                $round = new Round(
                    $seed,
                    $database,
                    $host,
                    "round$n",
                    $tally,
                    $blindness,
                    $declares,
                    $rule?->stopsInside() ?? false,
                );
                // As many again, where those did not show enough.
                $limit = $pairs * (1 + intdiv($tally->pairs, max(1, $pairs)));
                foreach ($round->play($limit) as $finding) {
                    $run->tell("seed $seed: $finding->wrong");
                    $findings[] = $finding;
                    $small = $rule === null ? $finding->shrunk($host, "small{$n}x", $blindness) : $finding;
                    array_push($lines, "seed $seed:", ...$small->lines());
                }
                if (hrtime(true) - $told > 10 * 1_000_000_000) {
                    $told = hrtime(true);
                    $run->tell("$tally->pairs pairs");
                }
            }
        } finally {
            $host->stop();
            $scratch->remove();
        }

        $isServer = $database !== Database::Sqlite;

        return self::result($tally, \count($findings), $lines, (hrtime(true) - $began) / 1e9, $isServer);
    }

    /** Starts what is needed. */
    private static function host(Database $database, TemporaryDirectory $directory): Host
    {
        return match ($database) {
            Database::Sqlite => new SqliteHost($directory->path),
            Database::MariaDb => new MariaDbHost($directory->path),
            Database::PostgreSql => new PostgreSqlHost($directory->path),
        };
    }

    /**
     * Whether there are too few pairs, or too few that show anything: another version of a server refuses other ones
     * of the same seed.
     */
    private static function wants(Tally $tally, int $pairs): bool
    {
        return $tally->pairs < $pairs || (!self::shows($tally) && $tally->pairs < self::MOST_TIMES * $pairs);
    }

    private static function shows(Tally $tally): bool
    {
        return $tally->changed * 200 >= $tally->pairs && $tally->dropped < $tally->pairs && $tally->equalities > 0;
    }

    /**
     * @param list<string> $lines
     * @param bool         $isServer whose reads and writes overlap, and which tells what rows a write has touched
     */
    private static function result(Tally $tally, int $findings, array $lines, float $seconds, bool $isServer): Result
    {
        return new Result(
            [
                'wrong' => $findings,
                ...$tally->figures(),
                'pairs_per_second' => (int) ($tally->pairs / max(1e-3, $seconds)),
                'findings' => $lines,
            ],
            \sprintf(
                'wrong: %d in %d pairs, of which %d changed and %d were dropped needlessly',
                $findings,
                $tally->pairs,
                $tally->changed,
                $tally->needless,
            ),
            $findings === 0 && (!$isServer || $tally->untouched === 0),
            self::shows($tally) && (!$isServer || $tally->overlapped > 0),
            'Too few results changed, or no read overlapped with a write, to show anything.',
        );
    }
}
