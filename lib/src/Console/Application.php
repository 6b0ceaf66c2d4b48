<?php

declare(strict_types=1);

namespace Larder\Console;

use Composer\InstalledVersions;
use Symfony\Component\Console\Application as SymfonyApplication;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Exception\ExceptionInterface;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** The program `larder`, put together. */
final class Application extends SymfonyApplication
{
    /** Of a copy that Composer did not install. */
    private const VERSION = '0.1.0-dev';

    private const PACKAGE = 'larder/larder';

    public static function create(): self
    {
        $application = new self('larder', self::version());
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

    /** A command line that cannot be is an error like those of the commands: exit code 2, and JSON if that is asked. */
    public function doRun(InputInterface $input, OutputInterface $output): int
    {
        try {
            return parent::doRun($input, $output);
        } catch (ExceptionInterface $exception) {
            if ($input->getParameterOption('--format', 'txt', true) === 'json') {
                AnsweringCommand::fail($exception->getMessage(), $output);
            } else {
                $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
                $this->renderThrowable($exception, $errors);
            }

            return Command::INVALID;
        }
    }

    private static function version(): string
    {
        if (!class_exists(InstalledVersions::class) || !InstalledVersions::isInstalled(self::PACKAGE)) {
            return self::VERSION;
        }
        $version = InstalledVersions::getPrettyVersion(self::PACKAGE) ?? self::VERSION;
        $commit = InstalledVersions::getReference(self::PACKAGE);

        return str_contains($version, 'dev') && $commit !== null ? $version . ' ' . substr($commit, 0, 12) : $version;
    }
}
