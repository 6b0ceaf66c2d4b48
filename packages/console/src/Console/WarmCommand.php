<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Console\Warm\Answer;
use Larder\Console\Warm\HottestPages;
use Larder\Console\Warm\HttpRequests;
use Larder\Console\Warm\Outcome;
use Larder\Console\Warm\Pace;
use Larder\Console\Warm\Warmer;
use Larder\Page\Site;
use Larder\SystemClock;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\NullOutput;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('warm', 'Lets the site make pages before visitors ask for them')]
final class WarmCommand extends SiteCommand
{
    private const PARALLEL = 64;

    /** Pages of which the answer tells why they are not there. */
    private const TOLD = 100;

    private OutputInterface $progress;

    protected function configure(): void
    {
        parent::configure();
        $this->addArgument('list', InputArgument::OPTIONAL, 'File with a path a line; -: standard input', '')
            ->addOption('log', null, InputOption::VALUE_REQUIRED, 'Access log (combined) instead of a list')
            ->addOption('top', null, InputOption::VALUE_REQUIRED, 'How many pages of the log, hottest first', '100')
            ->addOption('to', null, InputOption::VALUE_REQUIRED, 'Where nginx listens', 'http://127.0.0.1:80')
            ->addOption('rate', null, InputOption::VALUE_REQUIRED, 'Pages a second, at most', '10')
            ->addOption('parallel', null, InputOption::VALUE_REQUIRED, 'Pages at a time, at most', '2')
            ->addOption('timeout', null, InputOption::VALUE_REQUIRED, 'Seconds for each page', '35')
            ->addOption('dry-run', null, InputOption::VALUE_NONE, 'Only says which pages')
            ->setHelp(
                "Pages that are there are not made again. Progress goes to standard error.\n\n"
                    . 'Example: <info>larder warm --log=/var/log/nginx/access.log --top=500 --rate=20</info>',
            );
    }

    protected function initialize(InputInterface $input, OutputInterface $output): void
    {
        $this->progress = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : new NullOutput();
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $log = self::text($input, 'log');
        $list = self::text($input, 'list');
        if (($log === '') === ($list === '')) {
            throw Refused::because(
                'Name a file with a path a line, or - for standard input, or an access log by --log',
            );
        }
        $rate = self::number($input, 'rate', 0.001, 100_000);
        $parallel = max(1, (int) self::number($input, 'parallel', 1, self::PARALLEL));
        $seconds = self::number($input, 'timeout', 0.001, 3600);
        $top = (int) self::number($input, 'top', 1, 1_000_000);
        $to = $this->address($input);
        $skipped = 0;
        $lines = self::lines($log === '' ? $list : $log);
        $uris = $log === '' ? self::listed($site, $lines, $skipped) : (new HottestPages($site))->of($lines, $top);
        if ($input->getOption('dry-run') === true) {
            return new CommandAnswer(['pages' => $uris, 'skipped' => $skipped], $uris);
        }
        $counts = array_fill_keys(array_column(Outcome::cases(), 'value'), 0);
        $told = [];
        $requests = new HttpRequests($to, $site->hosts[0], $seconds);
        (new Warmer($requests, new Pace($rate), $parallel, new SystemClock()))->warm(
            $uris,
            function (Answer $answer) use (&$counts, &$told, $uris): void {
                ++$counts[$answer->outcome->value];
                if ($answer->reason !== '' && \count($told) < self::TOLD) {
                    $told[] = [
                        'uri' => $answer->uri,
                        'outcome' => $answer->outcome->value,
                        'status' => $answer->status,
                        'reason' => $answer->reason,
                    ];
                }
                $this->tell($counts, \count($uris));
            },
        );
        $lines = [self::sum($counts) . ($skipped === 0 ? '.' : "; $skipped lines are none of its pages.")];
        foreach ($told as ['uri' => $uri, 'outcome' => $outcome, 'status' => $status, 'reason' => $reason]) {
            $lines[] = \sprintf('%-10s %s %s %s', $outcome, $status, $uri, $reason);
        }

        return new CommandAnswer(
            ['pages' => \count($uris), 'skipped' => $skipped] + $counts + ['told' => $told],
            $lines,
            $counts[Outcome::Failed->value] === 0 ? 0 : 1,
        );
    }

    /** @param array<string, int> $counts */
    private function tell(array $counts, int $pages): void
    {
        $done = array_sum($counts);
        if ($done === $pages || $done % max(1, intdiv($pages, 20)) === 0) {
            $this->progress->writeln("$done of $pages: " . self::sum($counts));
        }
    }

    /** @param array<string, int> $counts */
    private static function sum(array $counts): string
    {
        return \sprintf('%d made, %d there, %d not stored, %d failed', ...array_values($counts));
    }

    /**
     * @param iterable<string> $lines
     *
     * @return list<string> each page once
     */
    private static function listed(Site $site, iterable $lines, int &$skipped): array
    {
        $uris = [];
        foreach ($lines as $line) {
            $line = trim($line);
            $uri = $line === '' ? null : $site->urls->pageUri($line);
            $skipped += $line !== '' && $uri === null ? 1 : 0;
            if ($uri !== null) {
                $uris[$uri] = true;
            }
        }

        return array_map(strval(...), array_keys($uris));
    }

    /** @return iterable<string> */
    private static function lines(string $file): iterable
    {
        $stream = @fopen($file === '-' ? 'php://stdin' : $file, 'r');
        if ($stream === false || is_dir($file)) {
            throw Refused::because(\sprintf('"%s" cannot be read', $file));
        }
        try {
            while (($line = fgets($stream)) !== false) {
                yield $line;
            }
        } finally {
            fclose($stream);
        }
    }

    private function address(InputInterface $input): string
    {
        $to = self::text($input, 'to');
        $to = rtrim(str_starts_with($to, 'http://') ? substr($to, 7) : $to, '/');
        if (preg_match('~^(?:unix:/\S+|(?:https://)?(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::\d+)?)$~D', $to) !== 1) {
            throw Refused::because(\sprintf('--to is where nginx listens, such as http://127.0.0.1:80, not "%s"', $to));
        }
        if (str_starts_with($to, 'unix:') || preg_match('/:\d+$/D', $to) === 1) {
            return $to;
        }

        return $to . (str_starts_with($to, 'https://') ? ':443' : ':80');
    }

    private static function number(InputInterface $input, string $option, float $least, float $most): float
    {
        $text = self::text($input, $option);
        if (!is_numeric($text) || (float) $text < $least || (float) $text > $most) {
            throw Refused::because(\sprintf('--%s is a number of %s to %s, not "%s"', $option, $least, $most, $text));
        }

        return (float) $text;
    }
}
