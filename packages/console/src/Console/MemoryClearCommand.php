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

/** @internal */
#[AsCommand('memory:clear', 'Removes all keys of one namespace from the shared memory')]
final class MemoryClearCommand extends MemoryCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->addOption('force', null, InputOption::VALUE_NONE, 'Do not ask')
            ->setHelp(
                "Asks first. Values that running requests hold stay valid until these requests end.\n\n"
                . 'Example: <info>larder memory:clear --name=site --force</info>',
            );
    }

    protected function answer(SharedMemory $memory, InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $info = $memory->info();
        $text = static fn(string $name): string => \is_string($info[$name]) ? $info[$name] : '';
        $where = \sprintf('namespace "%s" of %s', $text('namespace'), $text('name'));
        if ($input->getOption('force') !== true && !self::confirmed($where, $input, $errors)) {
            return new CommandAnswer(['cleared' => false], ['Nothing changed.'], self::FAILURE);
        }

        if ($memory->clear() === Outcome::Done) {
            return new CommandAnswer(['cleared' => true], ["All keys in $where are removed."]);
        }
        $locked = "Another process holds the lock of a part of $where; the rest is removed. Try again.";

        return new CommandAnswer(['cleared' => false], [$locked], self::FAILURE);
    }

    /** @throws Refused if there is nobody to ask */
    private static function confirmed(string $where, InputInterface $input, OutputInterface $errors): bool
    {
        if (!$input->isInteractive() || $input->getOption('format') === 'json') {
            throw Refused::because("There is nobody to ask; give --force to remove all keys in $where");
        }

        $question = new ConfirmationQuestion("Remove all keys in $where? [y/N] ", false);

        return (new QuestionHelper())->ask($input, $errors, $question) === true;
    }
}
