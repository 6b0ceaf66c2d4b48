<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Outcome;
use Larder\SharedMemory;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Helper\QuestionHelper;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Console\Question\ConfirmationQuestion;

#[AsCommand('memory:clear', 'Removes all keys of one namespace from the shared memory')]
final class MemoryClearCommand extends MemoryCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->addOption('force', null, InputOption::VALUE_NONE, 'Do not ask')
            ->setHelp("Asks first. Values that running requests hold stay good until these end.\n\nExample: <info>larder memory:clear --name=site --force</info>");
    }

    protected function answer(SharedMemory $memory, InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $info = $memory->info();
        $where = \sprintf('namespace "%s" of %s', \is_string($info['namespace']) ? $info['namespace'] : '', \is_string($info['name']) ? $info['name'] : '');
        if ($input->getOption('force') !== true && !self::confirmed($where, $input, $errors)) {
            return new CommandAnswer(['cleared' => false], ['Nothing changed.'], self::FAILURE);
        }

        return $memory->clear() === Outcome::Done
            ? new CommandAnswer(['cleared' => true], ["All keys in $where are removed."])
            : new CommandAnswer(['cleared' => false], ["A part of $where is locked by another process just now; the rest is removed. Try again."], self::FAILURE);
    }

    /** @throws Refused if there is nobody to ask */
    private static function confirmed(string $where, InputInterface $input, OutputInterface $errors): bool
    {
        if (!$input->isInteractive() || $input->getOption('format') === 'json') {
            throw Refused::because("There is nobody to ask; give --force to remove all keys in $where");
        }

        return (new QuestionHelper())->ask($input, $errors, new ConfirmationQuestion("Remove all keys in $where? [y/N] ", false)) === true;
    }
}
