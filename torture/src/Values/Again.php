<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Testbed\Process\Extension;
use RuntimeException;

/** This process becomes one that has the extension, with the same arguments. */
final readonly class Again
{
    public static function start(?string $file): never
    {
        $command = Extension::at($file)->php([]);
        $arguments = \is_array($_SERVER['argv'] ?? null) ? \array_slice(array_filter($_SERVER['argv'], is_string(...)), 1) : [];
        pcntl_exec($command[0], [...\array_slice($command, 1), \Larder\Torture\TortureCommand::script(), ...$arguments]);

        throw new RuntimeException('Cannot start ' . $command[0]);
    }
}
