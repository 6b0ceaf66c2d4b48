<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** Started by "torture memory", with the extension loaded. */
#[AsCommand('memory:workers', 'Forks and kills the workers of some seats', hidden: true)]
final class WorkersCommand extends Command
{
    protected function configure(): void
    {
        $this->addArgument('plan', InputArgument::REQUIRED, 'File')
            ->addArgument('house', InputArgument::REQUIRED, 'Number of the nursery; the second one takes the last look')
            ->addArgument('seats', InputArgument::REQUIRED, 'Numbers, with commas');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        [$file, $house, $seats] = array_map(static fn(string $name): string => \is_string($value = $input->getArgument($name)) ? $value : '', ['plan', 'house', 'seats']);
        $plan = Plan::read($file);
        $board = $plan->board();
        $nursery = new Nursery($plan, $board, (int) $house, array_map(intval(...), explode(',', $seats)), \in_array(\ini_get('larder.share'), ['1', 'On'], true));
        $nursery->run();
        if ($house === '2') {
            usleep(200_000);
            $nursery->lookRound();
        }

        return self::SUCCESS;
    }
}
