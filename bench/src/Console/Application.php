<?php

declare(strict_types=1);

namespace Larder\Bench\Console;

use Composer\InstalledVersions;
use Symfony\Component\Console\Application as SymfonyApplication;
use Symfony\Component\Console\Command\ListCommand as CommandList;

/** The program `larder-bench`, put together. */
final readonly class Application
{
    public static function create(): SymfonyApplication
    {
        $application = new SymfonyApplication(
            'larder-bench',
            InstalledVersions::isInstalled('larder/bench')
                ? (string) InstalledVersions::getPrettyVersion('larder/bench')
                : 'of no known version',
        );
        // `list` is ours: it names what can be measured.
        $application->addCommands([
            (new CommandList())->setName('commands')->setHelp('')->setDescription('Names the commands'),
            new RunCommand(),
            new ListCommand(),
            new ReportCommand(),
            new RatioCommand(),
            new CompareCommand(),
            new VerifyCommand(),
        ]);

        return $application->setDefaultCommand('commands');
    }
}
