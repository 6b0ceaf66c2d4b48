<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Console\Root\Described;
use Larder\Follow\Followed;
use Larder\Follow\Follower;
use Larder\Follow\State;
use Larder\Follow\Status;
use Larder\Follow\Unit;
use Larder\Metrics\NullCounters;
use Larder\Metrics\PrometheusText;
use Larder\Page\FollowedPages;
use Larder\Row\Scrubber;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\SignalableCommandInterface;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('follow', 'Reads the log of a database, and ends rows, pages and values of what any program has changed')]
final class FollowCommand extends AnsweringCommand implements Described, SignalableCommandInterface
{
    private ?Follower $follower = null;

    protected function configure(): void
    {
        parent::configure();
        $what = 'PHP file that returns a Larder\Follow\Followed';
        $this->addArgument('file', InputArgument::OPTIONAL, $what, 'follow.php')
            ->addOption('status', null, InputOption::VALUE_NONE, 'Says how far the follower is, and ends')
            ->addOption('metrics', null, InputOption::VALUE_NONE, 'Prints the same for Prometheus, and ends')
            ->addOption('scrub', null, InputOption::VALUE_NONE, 'Compares a sample of the rows that are kept with the '
                . 'database, and ends')
            ->addOption('rows', null, InputOption::VALUE_REQUIRED, 'Keys of each table that --scrub looks at', '1000')
            ->addOption('unit', null, InputOption::VALUE_NONE, 'Prints a unit of systemd that runs it, and ends')
            ->addOption('user', null, InputOption::VALUE_REQUIRED, 'User of the unit [who has the directory]')
            ->addOption('as', null, InputOption::VALUE_REQUIRED, 'User as whom the command works, where root starts it '
                . '[who has the directory]')
            ->setHelp(
                'Follows until Ctrl-C or SIGTERM; the work that is begun is finished first. Whatever fails is tried '
                . 'again from the place in the log up to which all was done; if the log has that place no more, '
                . "everything ends once. MariaDB's log is read by mariadb-binlog, in the format ROW; PostgreSQL's by "
                . "a slot of test_decoding.\n\n"
                . "Exit code of --scrub: 1 if a kept row is an old one, also after maxLag. Then somebody wrote past the"
                . " log: end all by larder flush, and the stores of rows by their own means.\n"
                . 'Exit code of --status: 1 if no follower runs, the last thing that it did failed, or its last sign '
                . "is older than maxLag.\n\n"
                . 'Example: <info>larder follow /etc/larder/follow.php</info>',
            );
    }

    public function described(InputInterface $input): array
    {
        return ['follow', self::text($input, 'file')];
    }

    /** @return list<int> SIGINT and SIGTERM, where PHP can wait for them */
    public function getSubscribedSignals(): array
    {
        return \extension_loaded('pcntl') ? [2, 15] : [];
    }

    public function handleSignal(int $signal, int|false $previousExitCode = 0): int|false
    {
        $this->follower?->stop();

        return false;
    }

    protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer|int
    {
        $followed = FollowFile::read(self::text($input, 'file'));
        $state = new State($followed->state);
        if ($input->getOption('status') === true) {
            return self::status(Status::of($followed->state));
        }
        if ($input->getOption('metrics') === true) {
            $series = Status::of($followed->state)->series(microtime(true));

            return new CommandAnswer($series, [rtrim((new PrometheusText())->of(new NullCounters(), $series))]);
        }
        if ($input->getOption('unit') === true) {
            return self::unit($input, $followed);
        }
        if ($input->getOption('scrub') === true) {
            return self::scrub($followed, self::text($input, 'rows'), $errors);
        }
        $lock = $state->lock() ?? throw Refused::because(
            "Another follower runs in $followed->state; give each one a directory of its own",
        );
        if ($followed->pages !== []) {
            Packages::installed()->mustHave('pages', 'a follower that lets pages live');
        }
        $this->follower = new Follower(
            $followed,
            serve: static fn(string $pages, float $until) => (new FollowedPages($pages))->serveUntil($until),
        );
        $this->follower->run();
        fclose($lock);

        return self::SUCCESS;
    }

    private static function unit(InputInterface $input, Followed $followed): CommandAnswer
    {
        $owner = is_dir($followed->state) && \function_exists('posix_getpwuid')
            ? posix_getpwuid((int) fileowner($followed->state))
            : false;
        $user = self::text($input, 'user');
        if ($user === '') {
            $user = $owner === false ? 'www-data' : $owner['name'];
        }
        if (preg_match('/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/D', $user) !== 1) {
            throw Refused::because("\"$user\" is no name of a user");
        }
        $words = \is_array($_SERVER['argv'] ?? null) ? $_SERVER['argv'] : [];
        $program = \is_string($words[0] ?? null) ? (string) realpath($words[0]) : '';
        $text = Unit::text(
            [PHP_BINARY, $program],
            (string) realpath(self::text($input, 'file')),
            $followed->state,
            $user,
        );

        return new CommandAnswer(['unit' => $text], explode("\n", rtrim($text)));
    }

    private static function scrub(Followed $followed, string $rows, OutputInterface $errors): CommandAnswer
    {
        if (preg_match('/^[1-9]\d{0,6}$/D', $rows) !== 1) {
            throw Refused::because("--rows is a whole number from 1 to 9999999, not \"$rows\"");
        }
        $ledger = ($followed->ledger)();
        $tables = $ledger->connection()->registry()->tables();
        $found = $lines = [];
        foreach ($followed->rows as $number => $store) {
            $scrubber = new Scrubber($ledger, $store, $followed->settings->maxLag);
            foreach ($tables as $table) {
                if ($table->key === '') {
                    continue;
                }
                $errors->writeln("Looking at $table->name", OutputInterface::VERBOSITY_VERBOSE);
                $seen = $scrubber->look($table->name, max(1, (int) $rows));
                if ($seen['kept'] === 0) {
                    continue;
                }
                $found[] = ['store' => $number, 'table' => $table->name] + $seen;
                $lines[] = \sprintf(
                    '%s: %d of %d keys are kept, %d of them old%s',
                    $table->name,
                    $seen['kept'],
                    $seen['sampled'],
                    \count($seen['old']),
                    $seen['old'] === [] ? '' : ': ' . implode(', ', \array_slice($seen['old'], 0, 20)),
                );
            }
        }
        $old = array_sum(array_map(static fn(array $seen): int => \count($seen['old']), $found));

        return new CommandAnswer(
            ['old' => $old, 'tables' => $found],
            $lines === [] ? ['No row of the sample is kept.'] : $lines,
            $old === 0 ? self::SUCCESS : self::FAILURE,
        );
    }

    private static function status(Status $status): CommandAnswer
    {
        $now = microtime(true);
        $values = $status->values($now);
        $lines = [];
        foreach ($values as $name => $value) {
            $text = \is_scalar($value) ? (string) json_encode($value, JSON_UNESCAPED_SLASHES) : '-';
            $lines[] = \sprintf('%-10s  %s', str_replace('_', ' ', $name), trim($text, '"'));
        }

        return new CommandAnswer($values, $lines, $status->isWell($now) ? self::SUCCESS : self::FAILURE);
    }
}
