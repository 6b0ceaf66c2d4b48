<?php

declare(strict_types=1);

namespace Larder\Proof\Equal;

use Larder\Proof\About;
use Larder\Proof\Option;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\Torture;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Sql\Database;
use mysqli_driver;

/** Compares what a tracked connection answers with what PDO or mysqli answers. */
final readonly class EqualTorture implements Torture
{
    /** Differences of one way after which it ends. */
    private const ENOUGH = 20;

    public function about(): About
    {
        return new About(
            'equal',
            'Runs statements on a tracked connection and on a plain one, and compares all that they answer',
            <<<'HELP'
            Example: <info>script/torture equal --database=mariadb --commands=20000</info>

            First come listed statements: those of proof/fixtures/equal, and on MariaDB also those that applications
            have sent. Each runs as a text, by exec() or real_query() and multi_query(), prepared and executed twice,
            and as the first one of a connection. Then come random ones. Their rows are taken in every form that PDO
            or mysqli has. Compared are rows, types, counts, numbers of new rows, errors of the connection and of the
            statement, further results, and the tables afterwards. The exit code is 1 if anything differs that
            docs/how-to/mariadb-and-postgresql.md and docs/how-to/dbal-and-mysqli.md do not name.
            HELP,
            [
                Option::number('commands', 'Random commands of each way, 0 for none', 0, 1_000_000_000, 5_000),
                Option::seed(),
                Option::choice('database', 'Whose SQL', array_column(Database::cases(), 'value'), 'mariadb'),
                Option::several('ways', 'How the application is connected', array_column(Way::cases(), 'value')),
            ],
        );
    }

    public function run(Run $run): Result
    {
        $database = Database::from($run->text('database'));
        $scratch = new TemporaryDirectory('larder-equal');
        $mode = (new mysqli_driver())->report_mode;
        $figures = ['listed' => 0, 'random' => 0, 'refused' => 0];
        $lines = [];
        $pair = new Pair($database, $scratch->path);
        try {
            $lists = Listed::all($database);
            foreach (Way::of($database) as $way) {
                if (!\in_array($way->value, $run->words('ways'), true)) {
                    continue;
                }
                $played = new Played($pair, $way, $run->tell(...), self::ENOUGH);
                foreach ($lists as $list) {
                    $played->list($list);
                }
                $played->random($database, $run->number('commands'), $run->seed());
                $figures["{$way->value}_listed"] = $played->listed;
                $figures["{$way->value}_random"] = $played->random;
                $figures["{$way->value}_differences"] = \count($played->differences);
                $figures['listed'] += $played->listed;
                $figures['random'] += $played->random;
                $figures['refused'] += $played->refused;
                foreach ($played->differences as $difference) {
                    array_push($lines, "$way->value:", ...explode("\n", $difference));
                }
            }
        } finally {
            mysqli_report($mode);
            $pair->stop();
            $scratch->remove();
        }
        $found = array_sum(array_filter(
            $figures,
            static fn(string $name): bool => str_ends_with($name, '_differences'),
            ARRAY_FILTER_USE_KEY,
        ));

        return new Result(
            ['differences' => $found, ...$figures, 'findings' => $lines],
            \sprintf('differences: %d in %d runs of listed statements and %d random ones', ...[
                $found,
                $figures['listed'],
                $figures['random'],
            ]),
            $found === 0,
            $figures['listed'] > 0,
            'Nothing ran.',
        );
    }
}
