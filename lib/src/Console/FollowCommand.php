<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Follow\Follower;
use Larder\Follow\State;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\SignalableCommandInterface;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('follow', 'Reads the log of a database, and ends rows, pages and values of what any program has changed')]
final class FollowCommand extends AnsweringCommand implements SignalableCommandInterface
{
    private ?Follower $follower = null;

    protected function configure(): void
    {
        parent::configure();
        $what = 'PHP file that returns a Larder\Follow\Followed';
        $this->addArgument('file', InputArgument::OPTIONAL, $what, 'follow.php')
            ->addOption('status', null, InputOption::VALUE_NONE, 'Says how far the follower is, and ends')
            ->setHelp(
                'Follows until Ctrl-C or SIGTERM; the work that is begun is finished first. Whatever fails is tried '
                . 'again from the place in the log up to which all was done; if the log has that place no more, '
                . "everything ends once. MariaDB's log is read by mariadb-binlog, in the format ROW; PostgreSQL's by "
                . "a slot of test_decoding.\n\n"
                . "Exit code of --status: 1 if no follower runs, or the last thing that it did failed.\n\n"
                . 'Example: <info>larder follow /etc/larder/follow.php</info>',
            );
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
            return self::status($state);
        }
        $lock = $state->lock() ?? throw Refused::because(
            "Another follower runs in $followed->state; give each one a directory of its own",
        );
        $this->follower = new Follower($followed);
        $this->follower->run();
        fclose($lock);

        return self::SUCCESS;
    }

    private static function status(State $state): CommandAnswer
    {
        $values = ['running' => $state->isRunning()] + $state->status();
        $lines = [];
        foreach ($values as $name => $value) {
            $text = \is_scalar($value) ? (string) json_encode($value, JSON_UNESCAPED_SLASHES) : '-';
            $lines[] = \sprintf('%-10s  %s', str_replace('_', ' ', $name), trim($text, '"'));
        }
        $isWell = $values['running'] && ($values['failure'] ?? null) === null;

        return new CommandAnswer($values, $lines, $isWell ? self::SUCCESS : self::FAILURE);
    }
}
