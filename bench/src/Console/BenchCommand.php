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

/**
 * What all commands have: their options, each as its type or an error that says what is allowed, and one place that
 * turns errors into a line and an exit code.
 */
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
    final protected function print(
        InputInterface $input,
        OutputInterface $output,
        Closure $text,
        Closure $json,
    ): void {
        $printed = match (self::option($input, 'format')) {
            'text' => $text(),
            'json' => $json(),
            default => throw new UsageError(
                \sprintf('There is no format "%s". There are: text, json.', self::option($input, 'format')),
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

    final protected static function option(InputInterface $input, string $name): ?string
    {
        $value = $input->getOption($name);

        return \is_string($value) ? $value : null;
    }

    final protected static function flag(InputInterface $input, string $name): bool
    {
        return $input->getOption($name) === true;
    }

    /** @return list<string> */
    final protected static function texts(InputInterface $input, string $name): array
    {
        $value = $input->getOption($name);

        return \is_array($value) ? array_values(array_filter($value, is_string(...))) : [];
    }

    /** @return list<string>|null */
    final protected static function words(InputInterface $input, string $name): ?array
    {
        $text = self::option($input, $name);

        return $text === null || $text === 'all'
            ? null
            : array_values(array_filter(explode(':', $text), static fn(string $word): bool => $word !== ''));
    }

    final protected static function number(InputInterface $input, string $name, float $least, float $most): ?float
    {
        $text = self::option($input, $name);

        return $text === null ? null : self::within($name, $text, $least, $most);
    }

    /** @return list<int>|null */
    final protected static function numbers(InputInterface $input, string $name, int $least, int $most): ?array
    {
        $words = self::words($input, $name);

        return $words === null
            ? null
            : array_map(static fn(string $word): int => (int) self::within($name, $word, $least, $most), $words);
    }

    private static function within(string $name, string $text, float $least, float $most): float
    {
        if (!is_numeric($text) || (float) $text < $least || (float) $text > $most) {
            throw new UsageError(\sprintf('--%s must be %s to %s, not "%s".', $name, $least, $most, $text));
        }

        return (float) $text;
    }
}
