<?php

declare(strict_types=1);

namespace Larder\Console;

use Closure;
use InvalidArgumentException;
use Larder\Exception\LarderException;
use PDOException;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Throwable;

/**
 * A command that prints its answer as text or JSON and says by its exit code whether it succeeded.
 *
 * 0: it succeeded. 1: it failed, or a check did. 2: what was asked for is not possible, and the message says what is.
 *
 * @internal
 */
abstract class AnsweringCommand extends Command
{
    protected function configure(): void
    {
        $this->addOption('format', null, InputOption::VALUE_REQUIRED, 'txt or json', 'txt');
    }

    final protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;

        return $this->answered($input, $output, fn(): CommandAnswer|int => $this->answerTo($input, $errors));
    }

    /** @param Closure(): (CommandAnswer|int) $answer as answerTo() gives it */
    final protected function answered(InputInterface $input, OutputInterface $output, Closure $answer): int
    {
        $format = $input->getOption('format');
        $json = $format === 'json';
        $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        try {
            if (!$json && $format !== 'txt') {
                throw Refused::because(
                    \sprintf('--format is txt or json, not "%s"', \is_string($format) ? $format : ''),
                );
            }
            $answer = $answer();
            if (\is_int($answer)) {
                return $answer;
            }
            $output->writeln($json ? self::json($answer->values) : $answer->lines, OutputInterface::OUTPUT_RAW);

            return $answer->exitCode;
        } catch (Refused|LarderException|PDOException $exception) {
            $message = $exception->getMessage() . self::remedy($exception);
            $json
                ? self::fail($message, $output)
                : $errors->writeln('<error>' . OutputFormatter::escape($message) . '</error>');

            $isInvalid = $exception instanceof Refused || $exception instanceof InvalidArgumentException;

            return $isInvalid ? self::INVALID : self::FAILURE;
        }
    }

    /**
     * @param OutputInterface $errors for questions and remarks, which are not part of the answer
     *
     * @return CommandAnswer|int the exit code, if another process printed the answer
     *
     * @throws Refused if what is asked for is not possible
     * @throws LarderException
     */
    abstract protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer|int;

    protected static function text(InputInterface $input, string $name): string
    {
        $value = $input->hasArgument($name) ? $input->getArgument($name) : $input->getOption($name);

        return \is_string($value) ? $value : '';
    }

    /** @internal Prints an error as JSON. */
    final public static function fail(string $message, OutputInterface $output): void
    {
        $output->writeln(self::json(['error' => $message]), OutputInterface::OUTPUT_RAW);
    }

    /** What SQLite does not say. */
    private static function remedy(Throwable $exception): string
    {
        return $exception instanceof PDOException && str_contains($exception->getMessage(), 'readonly database')
            ? '. Run it as the user who owns the database file and its directory'
            : '';
    }

    /** @param array<string, mixed> $values what JSON has no form for becomes null, 0 or U+FFFD */
    private static function json(array $values): string
    {
        $format = JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION;
        $lenient = JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR;

        return (string) json_encode($values, $format | $lenient);
    }
}
