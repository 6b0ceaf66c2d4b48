<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** Started by "torture client", with the extension loaded. */
#[AsCommand('client:workers', 'Forks and kills the workers', hidden: true)]
final class WorkersCommand extends Command
{
    protected function configure(): void
    {
        $this->addArgument('plan', InputArgument::REQUIRED, 'File')
            ->addArgument('workers', InputArgument::REQUIRED, 'How many; 0: only look at what was left behind');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        [$file, $workers] = array_map(static fn(string $name): string => \is_string($value = $input->getArgument($name)) ? $value : '', ['plan', 'workers']);
        $nursery = new Nursery(Plan::read($file), (int) $workers);
        if ($workers === '0') {
            $nursery->lookRound();
        } else {
            $nursery->run();
        }

        return self::SUCCESS;
    }
}
