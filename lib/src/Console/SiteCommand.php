<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Exception\InvalidSite;
use Larder\Exception\LarderException;
use Larder\Page\Site;
use PDOException;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

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
        $format = $input->getOption('format');
        $json = $format === 'json';
        try {
            if (!$json && $format !== 'txt') {
                throw Refused::because(\sprintf('--format is txt or json, not "%s"', \is_string($format) ? $format : ''));
            }
            $answer = $this->answer($this->site($input), $input);
            $json ? $output->writeln(self::json($answer->values), OutputInterface::OUTPUT_RAW) : $output->writeln($answer->lines, OutputInterface::OUTPUT_RAW);

            return $answer->exitCode;
        } catch (Refused|LarderException|PDOException $exception) {
            $json
                ? $output->writeln(self::json(['error' => $exception->getMessage()]))
                : ($output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output)->writeln('<error>' . \Symfony\Component\Console\Formatter\OutputFormatter::escape($exception->getMessage()) . '</error>');

            return $exception instanceof Refused || $exception instanceof \InvalidArgumentException ? self::INVALID : self::FAILURE;
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

    private function site(InputInterface $input): Site
    {
        $file = self::text($input, 'site');
        if (!is_file($file)) {
            throw Refused::because(\sprintf('There is no file "%s". Name the PHP file that returns the site by --site or LARDER_SITE', $file));
        }
        $site = (static fn(string $path): mixed => require $path)((string) realpath($file));

        return $site instanceof Site ? $site : throw InvalidSite::because(\sprintf('%s returns %s, not a %s', $file, get_debug_type($site), Site::class));
    }

    /** @param array<string, mixed> $values */
    private static function json(array $values): string
    {
        return json_encode($values, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
    }
}
