<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Outcome;
use Larder\SharedMemory;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('memory:delete', 'Removes one key from the shared memory')]
final class MemoryDeleteCommand extends MemoryKeyCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->setHelp("Exit code 1 if the key was not there.\n\nExample: <info>larder memory:delete --name=site news:4</info>");
    }

    protected function answer(SharedMemory $memory, InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $key = self::key($input);

        return match ($memory->delete($key)) {
            Outcome::Done => new CommandAnswer(self::named($key) + ['deleted' => true], [\sprintf('%s is deleted.', self::shown($key))]),
            Outcome::NotFound => self::missing($key, ['deleted' => false]),
            default => new CommandAnswer(self::named($key) + ['deleted' => false, 'refused' => true], [\sprintf('%s is locked by another process just now: nothing changed.', self::shown($key))], self::FAILURE),
        };
    }
}
