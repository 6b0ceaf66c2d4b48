<?php

declare(strict_types=1);

namespace Larder\Console;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** @internal A command on one key of a segment. */
abstract class MemoryKeyCommand extends MemoryCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->addArgument('key', InputArgument::REQUIRED, 'Key')
            ->addOption(
                'base64',
                null,
                InputOption::VALUE_NONE,
                'KEY is in base64, for bytes that no argument can have',
            );
    }

    /** @throws Refused */
    final protected static function key(InputInterface $input): string
    {
        $key = self::text($input, 'key');
        if ($input->getOption('base64') === true) {
            $key = base64_decode($key, true);
        }

        return \is_string($key) && $key !== '' && \strlen($key) <= 1024
            ? $key
            : throw Refused::because('A key has 1 to 1,024 bytes, and --base64 is for base64');
    }

    /** @param array<string, mixed> $values */
    final protected static function missing(string $key, array $values): CommandAnswer
    {
        $lines = [\sprintf('There is no key %s.', self::shown($key))];

        return new CommandAnswer(self::named($key) + $values, $lines, self::FAILURE);
    }
}
