<?php

declare(strict_types=1);

namespace Larder\Bench\Console;

use Closure;
use InvalidArgumentException;
use Larder\Bench\Exception\UsageError;
use Larder\Testbed\Server\ServerFailed;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** What all commands have: one place that turns errors into a line and an exit code. */
abstract class BenchCommand extends Command
{
    abstract protected function perform(InputInterface $input, OutputInterface $output): int;

    final protected function execute(InputInterface $input, OutputInterface $output): int
    {
        try {
            return $this->perform($input, $output);
        } catch (InvalidArgumentException|ServerFailed $exception) {
            $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
            $errors->writeln('larder-bench: ' . $exception->getMessage(), OutputInterface::OUTPUT_RAW);

            return $exception instanceof ServerFailed ? 1 : 2;
        }
    }

    final protected function addFormat(): void
    {
        $this->addOption('format', null, InputOption::VALUE_REQUIRED, 'text or json', 'text');
    }

    /**
     * @param Closure(): string $text
     * @param Closure(): string $json
     */
    final protected function print(OutputInterface $output, Options $options, Closure $text, Closure $json): void
    {
        $printed = match ($options->text('format')) {
            'text' => $text(),
            'json' => $json(),
            default => throw new UsageError(
                \sprintf('There is no format "%s". There are: text, json.', $options->text('format')),
            ),
        };
        $output->write(rtrim($printed) . "\n", false, OutputInterface::OUTPUT_RAW);
    }

    final protected static function save(string $file, string $content): void
    {
        if (@file_put_contents($file, $content) === false) {
            throw UsageError::unwritable($file);
        }
    }

    /** @param array<mixed> $value */
    final protected static function json(array $value): string
    {
        return json_encode(
            $value,
            JSON_THROW_ON_ERROR | JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE
                | JSON_INVALID_UTF8_SUBSTITUTE | JSON_PRESERVE_ZERO_FRACTION,
        );
    }

    /** An argument that the command requires. */
    final protected static function argument(InputInterface $input, string $name): string
    {
        $value = $input->getArgument($name);

        return \is_string($value) ? $value : throw new UsageError(\sprintf('%s is missing.', $name));
    }
}
