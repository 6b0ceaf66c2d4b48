<?php

declare(strict_types=1);

namespace Larder\Proof;

use Larder\Testbed\Process\Extension;
use Larder\Testbed\Process\Signals;
use RuntimeException;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** Runs one program: reads its options, tells its progress on stderr and prints its result. */
final class TortureCommand extends Command
{
    /** Hundreds of processes share few processors: who has a lock may not run for longer than the default allows. */
    private const SETTINGS = ['larder.lock_timeout' => '10000'];

    private readonly About $about;

    /** @var list<Option> */
    private readonly array $options;

    public function __construct(private readonly Torture $torture)
    {
        $this->about = $torture->about();
        $this->options = [
            ...$this->about->options,
            Option::choice('format', 'txt or json', ['txt', 'json'], 'txt'),
        ];
        parent::__construct($this->about->name);
    }

    /** The file that a PHP runs to be this program. */
    public static function script(): string
    {
        return \dirname(__DIR__) . '/bin/torture';
    }

    protected function configure(): void
    {
        $this->setDescription($this->about->description)->setHelp($this->about->help);
        foreach ($this->options as $option) {
            $this->getDefinition()->addOption($option->definition());
        }
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $progress = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        $values = Option::values($this->options, 'torture ' . $this->about->name, $input, $progress);
        if ($values === null) {
            return self::INVALID;
        }
        $run = new Run(
            $values,
            static fn(string $line) => $progress->writeln($line, OutputInterface::OUTPUT_RAW),
        );
        $this->loadExtension($run);
        if ($run->hasSeed()) {
            $run->tell("seed {$run->seed()}");
        }
        $result = Signals::stopDuring($run->end(...), function () use ($run): Result {
            try {
                return $this->torture->run($run);
            } finally {
                $run->end();
            }
        });
        $run->text('format') === 'json' ? $result->writeJson($output) : $result->write($output);
        if ($result->exitCode() === self::INVALID) {
            $progress->writeln("<error>$result->poor</error>");
        }

        return $result->exitCode();
    }

    /** Where this process lacks the extension it becomes one that has it, with the same arguments. */
    private function loadExtension(Run $run): void
    {
        $required = $this->about->extension;
        if ($required === RequiredExtension::None || \extension_loaded('larder')) {
            return;
        }
        $extension = Extension::at($run->extension());
        $command = $required === RequiredExtension::Loaded
            ? $extension->php(self::SETTINGS)
            : $extension->barePhp(self::SETTINGS);
        $given = \is_array($_SERVER['argv'] ?? null) ? array_filter($_SERVER['argv'], is_string(...)) : [];
        pcntl_exec($command[0], [...\array_slice($command, 1), self::script(), ...\array_slice($given, 1)]);

        throw new RuntimeException('Cannot start ' . $command[0]);
    }
}
