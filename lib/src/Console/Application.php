<?php

declare(strict_types=1);

namespace Larder\Console;

use Symfony\Component\Console\Application as SymfonyApplication;
use Symfony\Component\Console\Input\ArgvInput;

/** The program `larder`, put together. */
final readonly class Application
{
    public static function create(): SymfonyApplication
    {
        $application = new SymfonyApplication('larder');
        $application->addCommands([
            new DeployCommand(),
            new NginxConfigCommand(),
            new ExplainCommand(),
            new StatsCommand(),
            new FlushCommand(),
            new DoctorCommand(),
            new CacheAnalyseCommand(),
            new MemoryInfoCommand(),
            new MemoryKeysCommand(),
            new MemoryGetCommand(),
            new MemoryDeleteCommand(),
            new MemoryClearCommand(),
        ]);

        return $application;
    }

    /** The words of the command line; `memory info` is `memory:info`. */
    public static function input(SymfonyApplication $application): ArgvInput
    {
        $words = Rerun::arguments();
        $name = ($words[1] ?? '') . ':' . ($words[2] ?? '');
        if ($application->has($name)) {
            array_splice($words, 1, 2, [$name]);
        }

        return new ArgvInput($words);
    }
}
