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
            new VarnishConfigCommand(),
            new ExplainCommand(),
            new StatsCommand(),
            new TopCommand(),
            new FlushCommand(),
            new ContextsSecretCommand(),
            new ContextsRevokeCommand(),
            new GuardCommand(),
            new FollowCommand(),
            new PurgeCommand(),
            new WarmCommand(),
            new DoctorCommand(),
            new CacheAnalyseCommand(),
            new Code\KeysCommand(),
            new Code\PushCommand(),
            new Code\PullCommand(),
            new Code\WarmCommand(),
            new Code\SwitchCommand(),
            new Code\RollbackCommand(),
            new Code\StatusCommand(),
            new Code\PruneCommand(),
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

    /**
     * `larder code push` is `larder code:push`, and so on for all commands of two words.
     *
     * @param list<string> $words of the command line, the program first
     *
     * @return list<string>
     */
    public function joined(array $words): array
    {
        $joined = ($words[1] ?? '') . ':' . ($words[2] ?? '');

        return isset($words[2]) && $this->has($joined)
            ? [$words[0], $joined, ...\array_slice($words, 3)]
            : $words;
    }

    private static function version(): string
    {
        if (!class_exists(InstalledVersions::class) || !InstalledVersions::isInstalled(self::PACKAGE)) {
            return self::VERSION;
        }
        // Of a tag v0.9.0 the pretty version has the v.
        $version = ltrim(InstalledVersions::getPrettyVersion(self::PACKAGE) ?? self::VERSION, 'v');
        $commit = InstalledVersions::getReference(self::PACKAGE);

        return str_contains($version, 'dev') && $commit !== null ? $version . ' ' . substr($commit, 0, 12) : $version;
    }
}
