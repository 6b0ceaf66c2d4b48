<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Larder\Proof\About;
use Larder\Proof\MissingGuard;
use Larder\Proof\Option;
use Larder\Proof\RequiredExtension;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\Torture;
use Larder\Testbed\Server\DatabaseKind;

/** Runs readers and writers of rows on one store after the other. */
final class RowsTorture implements Torture
{
    private const STORES = ['memory', 'memcached', 'tiers'];

    public function about(): About
    {
        return new About(
            'rows',
            'Changes rows, kills who does, and counts rows and lists that are older than what was committed',
            <<<'HELP'
            Example: <info>script/torture rows --seconds=300 --database=postgresql</info>

            Writers change, delete and insert rows through Larder, some in bulk, and kill themselves between every two
            steps. Readers take rows by find(), findMany() and findAll(), and pages whose ids are kept by Listing. No
            row may have a version below the last one whose COMMIT had returned before they asked, and no list may lack
            a row that has been in it all the time. The server of the store is killed and started again.

            With <info>--followed</info> two thirds of the changes are made by plain PDO and by the database's console,
            and a follower ends what they change. It is killed, and stopped for longer than it may be silent. What was
            written through Larder is still never old; what others wrote may be as old as maxLag and 2 seconds.

            The exit code is 1 if anything was stale, and 2 if the run was too poor to show anything.
            HELP,
            [
                Option::seconds(2),
                Option::choice('database', 'Where the rows are', ['mariadb', 'postgresql'], 'mariadb'),
                Option::several('stores', 'Where they are kept', self::STORES),
                Option::seed(),
                Option::flag('followed', 'Others write too, and a follower of the log ends what they change'),
                Option::guard(
                    'broken',
                    'Take a guard away, to see that it is missed: fill (rows are stored past locks),'
                    . ' lease (they are stored though the lease was lost), late (they end after COMMIT), barrier (the'
                    . ' follower ends them before the change can be seen; on PostgreSQL), heartbeat (they are handed'
                    . ' out without a follower)',
                    MissingGuard::Fill,
                    MissingGuard::Lease,
                    MissingGuard::Late,
                    MissingGuard::Barrier,
                    MissingGuard::Heartbeat,
                ),
                Option::extension(),
            ],
            RequiredExtension::Loaded,
        );
    }

    public function run(Run $run): Result
    {
        $kind = DatabaseKind::from($run->text('database'));
        $missing = MissingGuard::from($run->text('broken'));
        $stores = $run->words('stores');
        $isFollowed = $run->has('followed');
        $trials = $events = [];
        foreach ($stores as $i => $name) {
            $trial = new RowTrial($run, $name, $run->directory() . '/' . $i, $kind, $missing, $isFollowed);
            [$restarts, $kills, $stops] = $trial->run(
                $run,
                $run->seconds() / \count($stores),
                $run->seed() + 1_000_000 * $i,
            );
            $events[] = ['restarts' => $restarts, 'follower_kills' => $kills, 'follower_stops' => $stops];
            $trials[] = $counts = Result::sums($trial->board, RowCount::cases());
            $run->tell(self::line($name, $counts));
            $run->stop();
            if ($trial->isMissed()) {
                break;
            }
        }
        ['restarts' => $restarts] = $attacks = Result::added($events) + ['restarts' => 0];
        unset($attacks['restarts']);

        return self::result($trials, $restarts, $run->findings()->all(), $isFollowed ? $attacks : []);
    }

    /**
     * @param list<array<string, int>> $trials   counts of each, by its name
     * @param list<string>             $findings
     * @param array<string, int>       $attacks on the follower; empty: there was none
     */
    public static function result(array $trials, int $restarts, array $findings, array $attacks = []): Result
    {
        $isPoor = static fn(array $counts): bool => $counts['hits'] < 100 || $counts['changes'] < 20;
        $sums = Result::added($trials, $attacks === [] ? ['by_plain_pdo', 'by_console'] : []);
        $once = ['kills', 'missing_rows', 'bulk_changes', 'lists', 'by_plain_pdo', 'by_console'];

        return new Result(
            [...$sums, 'restarts' => $restarts, ...$attacks, 'findings' => $findings],
            \sprintf('stale: %d of %d reads, %d changes', $sums['stale'], $sums['reads'], $sums['changes']),
            $findings === [] && $sums['stale'] === 0,
            array_filter($trials, $isPoor) === [] && 2 * $sums['hits'] >= $sums['reads']
                && !\in_array(0, [...array_intersect_key($sums, array_flip($once)), ...$attacks], true),
            'Too few reads, hits or changes to show anything, or something that a run must meet never happened.',
        );
    }

    /** @param array<string, int> $counts */
    private static function line(string $name, array $counts): string
    {
        return \sprintf(
            '%-10s %d stale of %d reads (%d %% hits), %d changes (%d in bulk, %d rolled back), %d kills',
            $name,
            $counts['stale'],
            $counts['reads'],
            intdiv(100 * $counts['hits'], max(1, $counts['reads'])),
            $counts['changes'],
            $counts['bulk_changes'],
            $counts['rolled_back'],
            $counts['kills'],
        );
    }
}
