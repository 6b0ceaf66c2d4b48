<?php

declare(strict_types=1);

namespace Larder\Console;

use Symfony\Component\Console\Application as SymfonyApplication;
use Symfony\Component\Console\Exception\ExceptionInterface;
use Symfony\Component\Console\Input\ArrayInput;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Throwable;

/** The program `larder`, put together. */
final class Application extends SymfonyApplication
{
    public function __construct()
    {
        parent::__construct('larder');
        $this->addCommands([
            new DeployCommand(),
            new NginxConfigCommand(),
            new ExplainCommand(),
            new StatsCommand(),
            new FlushCommand(),
            new DoctorCommand(),
        ]);
    }

    /** A wrong command line ends with 2 and speaks JSON if asked to; Symfony would end with 1 and know no JSON. */
    public function doRun(InputInterface $input, OutputInterface $output): int
    {
        try {
            $helpOnly = $this->getCommandName($input) === null && $input->hasParameterOption(['--help', '-h'], true);

            return parent::doRun($helpOnly ? new ArrayInput(['command' => 'list']) : $input, $output);
        } catch (Throwable $exception) {
            if ($input->getParameterOption('--format', 'txt', true) === 'json') {
                $output->writeln(Json::error($exception), OutputInterface::OUTPUT_RAW);
            } else {
                $this->renderThrowable($exception, $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output);
            }

            return $exception instanceof ExceptionInterface ? SiteCommand::INVALID : SiteCommand::FAILURE;
        }
    }
}
