<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Console\Root\DoneByRoot;
use Larder\Console\Root\Outline;
use Larder\Console\Root\RootsProcess;
use Larder\Metrics\Printable;
use Larder\Page\Guard;
use Larder\Page\GuardEvent;
use Larder\Page\Site;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\SignalableCommandInterface;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('guard', 'Takes memcached servers that hang out of the way of nginx and PHP on this web server')]
final class GuardCommand extends SiteCommand implements DoneByRoot, SignalableCommandInterface
{
    private OutputInterface $output;

    private bool $isEnded = false;

    protected function configure(): void
    {
        parent::configure();
        $value = InputOption::VALUE_REQUIRED;
        $this->addOption('interval', null, $value, 'Milliseconds between two questions to each server', '500')
            ->addOption('patience', null, $value, 'Milliseconds that an answer may take', '100')
            ->addOption('misses', null, $value, 'Questions in a row without an answer, after which it is out', '3')
            ->addOption('answers', null, $value, 'Answers in a row, after which it is emptied and taken back', '3')
            ->addOption('test', null, $value, 'Says whether nginx can load its configuration', 'nginx -t')
            ->addOption('reload', null, $value, 'Lets nginx load it', 'nginx -s reload')
            ->addOption('once', null, InputOption::VALUE_NONE, 'Until the state of each server is known')
            ->setHelp(
                "Runs on each web server, as a user who may reload nginx and write to Site::\$guard. While a server of "
                . "the pages hangs, nginx and PHP do not ask it, its pages are made by PHP and not stored, and changes "
                . "of them fail at once. With --format=json: one object a line.\n\n"
                . "What could not be loaded is tried again. Ctrl-C or SIGTERM ends it; the file stays as it is, and "
                . "the next guard looks anew. Exit code 1 if --once finds a server that is not up.\n\n"
                . 'Example: <info>larder guard --once</info>',
            );
    }

    /** @return list<int> SIGINT and SIGTERM, where PHP can wait for them */
    public function getSubscribedSignals(): array
    {
        return \extension_loaded('pcntl') ? [2, 15] : [];
    }

    /** The round in which it comes is finished: nginx is told what the file says. */
    public function handleSignal(int $signal, int|false $previousExitCode = 0): int|false
    {
        $this->isEnded = true;

        return false;
    }

    protected function initialize(InputInterface $input, OutputInterface $output): void
    {
        $this->output = $output;
    }

    public function place(Outline $site): ?string
    {
        return $site->guard;
    }

    public function byRoot(Outline $site, InputInterface $input, OutputInterface $output): int
    {
        $this->output = $output;
        if (\function_exists('pcntl_signal')) {
            pcntl_async_signals(true);
            foreach ($this->getSubscribedSignals() as $signal) {
                pcntl_signal($signal, fn() => $this->handleSignal($signal));
            }
        }

        return $this->answered($input, $output, fn(): int => $this->guard($site, $input));
    }

    protected function answer(Site $site, InputInterface $input): int
    {
        return $this->guard(Outline::of($site), $input);
    }

    private function guard(Outline $site, InputInterface $input): int
    {
        $guarded = $site->guarded();
        if ($guarded === null) {
            throw Refused::because(
                'There is nothing to guard: Storage::$memcached names the servers of the pages, and Storage::$guard '
                    . 'the directory for what nginx includes',
            );
        }
        $lock = $guarded->lock() ?? throw Refused::because(
            "Another larder guard runs here for the site \"{$site->name}\"",
        );
        $test = self::text($input, 'test');
        $reload = self::text($input, 'reload');
        $guard = new Guard(
            $guarded,
            static fn(): ?string => self::reload($test, $reload),
            self::number($input, 'patience'),
            self::number($input, 'misses'),
            self::number($input, 'answers'),
        );
        $pause = self::number($input, 'interval') * 1000;
        $isOnce = $input->getOption('once') === true;
        $isJson = self::text($input, 'format') === 'json';
        do {
            foreach ($guard->round() as $event) {
                $this->show($event, $isJson);
            }
            if ($isOnce && $guard->isSettled()) {
                break;
            }
            if (!$guard->isSuspicious() && !$this->isEnded) {
                usleep($pause);
            }
        } while (!$this->isEnded && !RootsProcess::isGone());
        fclose($lock);

        return $isOnce && !$guard->isWell() ? self::FAILURE : self::SUCCESS;
    }

    /** @return string|null why nginx was not told */
    private static function reload(string $test, string $reload): ?string
    {
        $root = RootsProcess::here();
        if ($root === null) {
            return ShellCommand::run($test) ?? ShellCommand::run($reload);
        }
        // Only root may, and it has the commands from its own arguments.
        $failure = $root->ask('reload');
        $failure = \is_array($failure) ? $failure[0] ?? null : "root's process is gone";

        return \is_string($failure) ? $failure : null;
    }

    private function show(GuardEvent $event, bool $isJson): void
    {
        $line = $isJson
            ? json_encode(
                ['at' => microtime(true)] + $event->values(),
                JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE,
            )
            : gmdate('Y-m-d\TH:i:s\Z ') . Printable::line($event->line());
        $this->output->writeln($line, OutputInterface::OUTPUT_RAW);
    }

    /** @return positive-int */
    private static function number(InputInterface $input, string $option): int
    {
        $text = self::text($input, $option);

        return preg_match('/^[1-9]\d{0,6}$/D', $text) === 1
            ? max(1, (int) $text)
            : throw Refused::because("--$option is a number above 0, not \"$text\"");
    }
}
