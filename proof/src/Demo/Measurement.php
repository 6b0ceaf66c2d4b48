<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

use Closure;
use Larder\Proof\Option;
use Larder\Proof\Run;
use Larder\Testbed\Process\Signals;
use Symfony\Component\Console\Application;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** A program of its own that measures something and prints lines of Markdown. */
final class Measurement extends Command
{
    /**
     * @param list<Option>                   $options
     * @param Closure(Run): iterable<string> $measure
     */
    public function __construct(
        string $name,
        string $description,
        private readonly array $options,
        private readonly Closure $measure,
    ) {
        parent::__construct($name);
        $this->setDescription($description);
        foreach ($options as $option) {
            $this->getDefinition()->addOption($option->definition());
        }
    }

    /** Runs a command as the only one of its program. */
    public static function program(Command $command): void
    {
        $version = trim((string) file_get_contents(\dirname(__DIR__, 3) . '/VERSION'));
        $application = new Application((string) $command->getName(), $version);
        $application->addCommands([$command]);
        $application->setDefaultCommand((string) $command->getName(), true)->run();
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        $values = Option::values($this->options, (string) $this->getName(), $input, $errors);
        if ($values === null) {
            return self::INVALID;
        }
        $run = new Run($values, $errors->writeln(...));
        return Signals::stopDuring($run->end(...), function () use ($run, $output): int {
            try {
                foreach (($this->measure)($run) as $line) {
                    $output->writeln($line);
                }
            } finally {
                $run->end();
            }

            return self::SUCCESS;
        });
    }
}
