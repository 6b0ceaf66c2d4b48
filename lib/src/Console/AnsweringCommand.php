<?php

declare(strict_types=1);

namespace Larder\Console;

use InvalidArgumentException;
use Larder\Exception\LarderException;
use PDOException;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * A command that prints its answer as text or JSON, and turns what went wrong into an exit code.
 *
 * 0: done. 1: it failed, or a check did. 2: what was asked is not possible; the message says what is.
 */
abstract class AnsweringCommand extends Command
{
    protected function configure(): void
    {
        $this->addOption('format', null, InputOption::VALUE_REQUIRED, 'txt or json', 'txt');
    }

    final protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $format = $input->getOption('format');
        $json = $format === 'json';
        $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        try {
            if (!$json && $format !== 'txt') {
                throw Refused::because(\sprintf('--format is txt or json, not "%s"', \is_string($format) ? $format : ''));
            }
            $answer = $this->answerTo($input, $errors);
            if (\is_int($answer)) {
                return $answer;
            }
            $json ? $output->writeln(self::json($answer->values), OutputInterface::OUTPUT_RAW) : $output->writeln($answer->lines, OutputInterface::OUTPUT_RAW);

            return $answer->exitCode;
        } catch (Refused|LarderException|PDOException $exception) {
            $json
                ? $output->writeln(self::json(['error' => $exception->getMessage()]), OutputInterface::OUTPUT_RAW)
                : $errors->writeln('<error>' . OutputFormatter::escape($exception->getMessage()) . '</error>');

            return $exception instanceof Refused || $exception instanceof InvalidArgumentException ? self::INVALID : self::FAILURE;
        }
    }

    /**
     * @param OutputInterface $errors where people are told or asked something beside the answer
     *
     * @return CommandAnswer|int the exit code of another process that has answered in this one's place
     *
     * @throws Refused if what is asked is not possible
     * @throws LarderException
     */
    abstract protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer|int;

    protected static function text(InputInterface $input, string $name): string
    {
        $value = $input->hasArgument($name) ? $input->getArgument($name) : $input->getOption($name);

        return \is_string($value) ? $value : '';
    }

    /** @param array<string, mixed> $values what JSON cannot say becomes null, 0 or U+FFFD */
    private static function json(array $values): string
    {
        return (string) json_encode($values, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION | JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR);
    }
}
