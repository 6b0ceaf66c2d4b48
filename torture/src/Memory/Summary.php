<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Symfony\Component\Console\Output\OutputInterface;

/** The figures of a run as JSON, or as a line each before the one line that says it all. */
final readonly class Summary
{
    /** @param array<string, int|float|list<string>> $figures */
    public static function write(OutputInterface $output, bool $json, array $figures, string $last): void
    {
        if ($json) {
            $output->writeln(json_encode($figures, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR), OutputInterface::OUTPUT_RAW);

            return;
        }
        foreach ($figures as $name => $figure) {
            $output->writeln(\is_array($figure) ? $figure : \sprintf('%-27s %s', strtr($name, '_', ' '), (string) $figure), OutputInterface::OUTPUT_RAW);
        }
        $output->writeln($last);
    }
}
