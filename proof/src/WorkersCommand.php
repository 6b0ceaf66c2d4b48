<?php

declare(strict_types=1);

namespace Larder\Proof;

use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** Started by a program whose workers need a PHP of their own. */
#[AsCommand('workers', 'Runs the workers of a program', hidden: true)]
final class WorkersCommand extends Command
{
    /** @param list<Torture> $tortures */
    public function __construct(private readonly array $tortures)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $this->addArgument('torture', InputArgument::REQUIRED, 'The program')
            ->addArgument('plan', InputArgument::REQUIRED, 'File')
            ->addArgument('arguments', InputArgument::IS_ARRAY, 'For the workers');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        ['torture' => $name, 'plan' => $file, 'arguments' => $arguments] = $input->getArguments();
        foreach ($this->tortures as $torture) {
            if ($torture instanceof HasWorkers && $torture->about()->name === $name && \is_string($file)) {
                $words = \is_array($arguments) ? array_values(array_filter($arguments, is_string(...))) : [];
                $torture->work(Plan::read($file), $words);

                return self::SUCCESS;
            }
        }

        return self::INVALID;
    }
}
