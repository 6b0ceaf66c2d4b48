<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Outcome;
use Larder\SharedMemory;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('memory:delete', 'Removes one key from the shared memory')]
final class MemoryDeleteCommand extends MemoryKeyCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->setHelp(
            "Exit code 1 if there is no such key.\n\nExample: <info>larder memory:delete --name=site news:4</info>",
        );
    }

    protected function answer(SharedMemory $memory, InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $key = self::key($input);

        $shown = self::shown($key);

        return match ($memory->delete($key)) {
            Outcome::Done => new CommandAnswer(self::named($key) + ['deleted' => true], ["$shown is deleted."]),
            Outcome::NotFound => self::missing($key, ['deleted' => false]),
            default => new CommandAnswer(
                self::named($key) + ['deleted' => false, 'refused' => true],
                ["Another process holds the lock of $shown: nothing changed."],
                self::FAILURE,
            ),
        };
    }
}
