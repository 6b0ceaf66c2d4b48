<?php

declare(strict_types=1);

namespace Larder\Console;

use InvalidArgumentException;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\SqlLedger;
use Larder\Exception\LarderException;
use Larder\Exception\LedgerUnavailable;
use Larder\Page\Site;
use PDOException;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Throwable;

/**
 * A command on one site: finds the site, prints its answer as text or JSON, and turns what went wrong into an exit code.
 *
 * 0: done. 1: it failed, or a check did. 2: what was asked is not possible; the message says what is.
 */
abstract class SiteCommand extends Command
{
    protected function configure(): void
    {
        $site = getenv('LARDER_SITE');
        $this->addOption('site', null, InputOption::VALUE_REQUIRED, 'PHP file that returns the site [LARDER_SITE]', $site === false || $site === '' ? 'larder.php' : $site)
            ->addOption('format', null, InputOption::VALUE_REQUIRED, 'txt or json', 'txt');
    }

    final protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $format = self::text($input, 'format');
        $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        try {
            if ($format !== 'json' && $format !== 'txt') {
                throw Refused::because(\sprintf('--format is txt or json, not "%s"', $format));
            }
            $answer = $this->answer(self::site(self::text($input, 'site')), $input);
            $output->writeln($format === 'json' ? Json::of($answer->values) : $answer->lines, OutputInterface::OUTPUT_RAW);

            return $answer->exitCode;
        } catch (Refused|LarderException|PDOException $exception) {
            $format === 'json'
                ? $output->writeln(Json::error($exception), OutputInterface::OUTPUT_RAW)
                : $errors->writeln('<error>' . OutputFormatter::escape($exception->getMessage()) . '</error>');

            return $exception instanceof Refused || $exception instanceof InvalidArgumentException ? self::INVALID : self::FAILURE;
        }
    }

    /**
     * @throws Refused if what is asked is not possible
     * @throws LarderException
     */
    abstract protected function answer(Site $site, InputInterface $input): CommandAnswer;

    protected static function text(InputInterface $input, string $name): string
    {
        $value = $input->hasArgument($name) ? $input->getArgument($name) : $input->getOption($name);

        return \is_string($value) ? $value : '';
    }

    /** @throws LedgerUnavailable which says what to do if no release was ever deployed */
    protected static function ledger(Site $site, RecordingPdo $database): SqlLedger
    {
        $ledger = $site->ledger($database);

        return $ledger->state()->isInstalled() ? $ledger : throw LedgerUnavailable::notInstalled();
    }

    private static function site(string $file): Site
    {
        if (!is_file($file)) {
            throw Refused::because(\sprintf('There is no file "%s". Name the PHP file that returns the site by --site or LARDER_SITE', $file));
        }
        try {
            $site = (static fn(string $path): mixed => require $path)((string) realpath($file));
        } catch (Throwable $exception) {
            throw Refused::because(\sprintf('%s does not return a site but fails: %s', $file, rtrim($exception->getMessage(), '.')), $exception);
        }

        return $site instanceof Site ? $site : throw Refused::because(\sprintf('%s returns %s, not a %s', $file, get_debug_type($site), Site::class));
    }
}
