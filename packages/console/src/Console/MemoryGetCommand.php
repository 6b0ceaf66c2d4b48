<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\SharedMemory;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Throwable;

/** @internal */
#[AsCommand('memory:get', 'Prints one value of the shared memory')]
final class MemoryGetCommand extends MemoryKeyCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->setHelp(
            "As PHP, or as JSON; of a value that a Larder\\Cache keeps also when it was made, until when it is kept "
            . "and what data it was made from. Exit code 1 if there is no such key.\n\n"
            . 'Example: <info>larder memory:get --name=site news:4</info>',
        );
    }

    protected function answer(SharedMemory $memory, InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $key = self::key($input);
        try {
            $answer = $memory->read($key);
        } catch (Throwable $exception) {
            // The code of its objects ran, which may need the application that stored them.
            $key = self::shown($key);
            throw Refused::because("The value of $key cannot be made here: {$exception->getMessage()}");
        }

        if (!$answer->hit) {
            return self::missing($key, ['found' => false]);
        }
        $entry = CachedEntry::of($answer->value);
        $values = $entry === null ? ['value' => $answer->value] : $entry->values();
        $comments = $entry === null ? [] : $entry->comments();

        return new CommandAnswer(
            self::named($key) + ['found' => true, 'version' => $answer->version] + $values,
            [...$comments, self::php($values['value'])],
        );
    }

    /** By var_export(), or print_r() for a value that contains itself. */
    private static function php(mixed $value): string
    {
        error_clear_last();
        $text = @var_export($value, true);

        return error_get_last() === null ? $text : rtrim(print_r($value, true));
    }
}
