<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Console\Root\RootsProcess;
use Larder\Exception\LarderException;
use Larder\Page\Pages;
use Larder\Page\Sample;
use Larder\Page\Site;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Store;
use PDOException;
use Psr\Log\NullLogger;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use Throwable;

/** @internal */
#[AsCommand('top', 'Shows live what becomes of requests')]
final class TopCommand extends SiteCommand
{
    /** Microseconds between two looks. */
    private const PAUSE = 1_000_000;

    private OutputInterface $output;

    protected function configure(): void
    {
        parent::configure();
        $this->addOption('once', null, InputOption::VALUE_NONE, 'The numbers of now, without rates')
            ->setHelp(
                'Each second, until Ctrl-C. With --format=json: one object a line. The hits of nginx are counted if '
                    . "the Site has a hitLog.\n\nExample: <info>larder top --once --format=json</info>",
            );
    }

    protected function initialize(InputInterface $input, OutputInterface $output): void
    {
        $this->output = $output;
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $store = self::store($site);
        $ledger = self::ledger($site);
        $sample = Sample::of($site, $ledger, $store);
        $isOnce = $input->getOption('once') === true;
        $isJson = self::text($input, 'format') === 'json';
        $before = null;
        while (!$isOnce && !RootsProcess::isGone()) {
            $this->show($sample, $before, $isJson);
            usleep(self::PAUSE);
            $before = $sample;
            // A database that was away may be back.
            $ledger = \is_string($ledger) ? self::ledger($site) : $ledger;
            $sample = Sample::of($site, $ledger, $store);
        }

        return new CommandAnswer($sample->values(null), TopScreen::lines($sample, null));
    }

    private function show(Sample $sample, ?Sample $before, bool $isJson): void
    {
        $text = $isJson
            ? json_encode($sample->values($before), JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE)
            : implode("\n", TopScreen::lines($sample, $before));
        if (!$isJson && $this->output instanceof TerminalOutput) {
            $this->output->home();
        }
        $this->output->writeln((string) $text, OutputInterface::OUTPUT_RAW);
    }

    /** @return SqlLedger|string why it cannot be opened */
    private static function ledger(Site $site): SqlLedger|string
    {
        try {
            return Pages::of($site)->ledger();
        } catch (LarderException|PDOException $exception) {
            return $exception->getMessage();
        }
    }

    private static function store(Site $site): ?Store
    {
        try {
            return $site->operations->store === null ? null : ($site->operations->store)(new NullLogger());
        } catch (Throwable) {
            return null;
        }
    }
}
