<?php

declare(strict_types=1);

namespace Larder\Console;

use Symfony\Component\Console\Application as SymfonyApplication;

/** Puts the program `larder` together. */
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
}
