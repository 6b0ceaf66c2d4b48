<?php

declare(strict_types=1);

namespace Larder\Console;

use Composer\InstalledVersions;
use Larder\Console\Root\ByRoot;
use Larder\Console\Root\Described;
use Symfony\Component\Console\Application as SymfonyApplication;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\CommandLoader\FactoryCommandLoader;
use Symfony\Component\Console\Exception\ExceptionInterface;
use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal The program `larder`, put together. */
final class Application extends SymfonyApplication
{
    private const VERSION = '0.1.0-dev';

    private const PACKAGE = 'larder/console';

    /** Commands by the package that they need beside the console's own needs; any one will do for the doctor. */
    private const COMMANDS = [
        'cache' => [
            'memory:info' => MemoryInfoCommand::class,
            'memory:keys' => MemoryKeysCommand::class,
            'memory:get' => MemoryGetCommand::class,
            'memory:delete' => MemoryDeleteCommand::class,
            'memory:clear' => MemoryClearCommand::class,
            'cache:analyse' => CacheAnalyseCommand::class,
        ],
        'pages' => [
            'deploy' => DeployCommand::class,
            'nginx:config' => NginxConfigCommand::class,
            'varnish:config' => VarnishConfigCommand::class,
            'explain' => ExplainCommand::class,
            'stats' => StatsCommand::class,
            'top' => TopCommand::class,
            'flush' => FlushCommand::class,
            'contexts:secret' => ContextsSecretCommand::class,
            'contexts:revoke' => ContextsRevokeCommand::class,
            'guard' => GuardCommand::class,
            'purge' => PurgeCommand::class,
            'warm' => WarmCommand::class,
            'doctor' => DoctorCommand::class,
        ],
        'rows' => [
            'follow' => FollowCommand::class,
            'doctor' => DoctorCommand::class,
        ],
        'code' => [
            'code:keys' => Code\KeysCommand::class,
            'code:push' => Code\PushCommand::class,
            'code:renew' => Code\RenewCommand::class,
            'code:pull' => Code\PullCommand::class,
            'code:warm' => Code\WarmCommand::class,
            'code:switch' => Code\SwitchCommand::class,
            'code:rollback' => Code\RollbackCommand::class,
            'code:status' => Code\StatusCommand::class,
            'code:prune' => Code\PruneCommand::class,
            'doctor' => DoctorCommand::class,
        ],
    ];

    private function __construct(private readonly Packages $packages, private readonly bool $isRoots)
    {
        parent::__construct('larder', self::version());
    }

    /** @param bool $isRoots root has started the program: what is of a site is done by whom it belongs to */
    public static function create(?Packages $packages = null, bool $isRoots = false): self
    {
        $application = new self($packages ?? Packages::installed(), $isRoots);
        $makers = [];
        foreach (self::COMMANDS as $package => $commands) {
            if ($application->packages->has($package)) {
                foreach ($commands as $name => $class) {
                    $makers[$name] = static fn(): Command => new $class();
                }
            }
        }
        $application->setCommandLoader(new FactoryCommandLoader($makers));

        return $application;
    }

    /** @throws Refused if the package of the command is missing */
    public function find(string $name): Command
    {
        $owners = self::owners($name);
        if ($owners !== [] && !$this->packages->has(...$owners)) {
            throw Refused::because("\"$name\" is a command of " . Packages::remedy($owners[0]));
        }

        return parent::find($name);
    }

    public function run(?InputInterface $input = null, ?OutputInterface $output = null): int
    {
        return parent::run($input, $output ?? new TerminalOutput());
    }

    /** A command line that cannot be is an error like those of the commands: exit code 2, and JSON if that is asked. */
    public function doRun(InputInterface $input, OutputInterface $output): int
    {
        try {
            $this->packages->mustBeOfOneVersion();

            return parent::doRun($input, $output);
        } catch (ExceptionInterface|Refused $exception) {
            $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
            if ($input->getParameterOption('--format', 'txt', true) === 'json') {
                AnsweringCommand::fail($exception->getMessage(), $output);
            } elseif ($exception instanceof Refused) {
                // Not broken into lines, since it ends with what to type.
                $errors->writeln('<error>' . OutputFormatter::escape($exception->getMessage()) . '</error>');
            } else {
                $this->renderThrowable($exception, $errors);
            }

            return Command::INVALID;
        }
    }

    protected function doRunCommand(Command $command, InputInterface $input, OutputInterface $output): int
    {
        if ($this->isRoots && $command instanceof Described) {
            $command->mergeApplicationDefinition();
            try {
                $input->bind($command->getDefinition());
            } catch (ExceptionInterface) {
                // The command says what is wrong, and does nothing.
                return parent::doRunCommand($command, $input, $output);
            }
            $code = (new ByRoot($command, $input, $output))->run();
            if ($code !== null) {
                return $code;
            }
        }

        return parent::doRunCommand($command, $input, $output);
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

        return isset($words[2]) && self::owners($joined) !== []
            ? [$words[0], $joined, ...\array_slice($words, 3)]
            : $words;
    }

    /** @return list<string> the packages of which one must be installed for the command; none: there is no such one */
    private static function owners(string $command): array
    {
        $commands = array_filter(self::COMMANDS, static fn(array $commands): bool => isset($commands[$command]));

        return array_keys($commands);
    }

    /** Of a version that is being made, with the commit where Composer knows it. */
    private static function version(): string
    {
        $commit = class_exists(InstalledVersions::class) && InstalledVersions::isInstalled(self::PACKAGE)
            ? InstalledVersions::getReference(self::PACKAGE)
            : null;

        return str_contains(self::VERSION, 'dev') && $commit !== null
            ? self::VERSION . ' ' . substr($commit, 0, 12)
            : self::VERSION;
    }
}
