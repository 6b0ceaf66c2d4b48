<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\SharedMemory;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * @internal
 *
 * @phpstan-type Entry array{key: string, type: string, bytes: int, expires: float|null, version: int}
 */
#[AsCommand('memory:keys', 'Lists the keys of one namespace of the shared memory')]
final class MemoryKeysCommand extends MemoryCommand
{
    private const STEP = 1000;
    private const SILENT_NS = 1_000_000_000;

    protected function configure(): void
    {
        parent::configure();
        $this->addOption('prefix', null, InputOption::VALUE_REQUIRED, 'Only keys that start with it', '')
            ->addOption(
                'limit',
                null,
                InputOption::VALUE_REQUIRED,
                'Number of keys at most, in no order; 0: all',
                '1000',
            )
            ->setHelp(
                "A key that comes or goes meanwhile may be listed or not. Bytes are what an entry takes of the "
                    . "segment.\n\n"
                . 'Example: <info>larder memory:keys --name=site --prefix=news:</info>',
            );
    }

    protected function answer(SharedMemory $memory, InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $limit = filter_var(self::text($input, 'limit'), FILTER_VALIDATE_INT, ['options' => ['min_range' => 0]]);
        if (!\is_int($limit)) {
            throw Refused::because('--limit is a number, 0 for all');
        }
        $most = $limit === 0 ? PHP_INT_MAX : $limit;
        $found = self::walk($memory, self::text($input, 'prefix'), $most, $errors);
        $isMore = \count($found) > $most;
        $entries = array_values(\array_slice($found, 0, $most));

        return new CommandAnswer(
            [
                'entries' => array_map(static fn(array $entry): array => self::named($entry['key']) + $entry, $entries),
                'more' => $isMore,
            ],
            [
                ...array_map(self::line(...), $entries),
                \sprintf('%d keys%s', \count($entries), $isMore ? ', and more: raise --limit' : ''),
            ],
        );
    }

    /**
     * @return array<array-key, Entry> by key, since a walk may meet an entry twice; one more than $most if there are
     */
    private static function walk(SharedMemory $memory, string $prefix, int $most, OutputInterface $errors): array
    {
        $found = [];
        $seen = 0;
        $tell = hrtime(true) + self::SILENT_NS;
        for ($cursor = 0; $cursor !== null && \count($found) <= $most; $cursor = $part['next']) {
            $part = $memory->entries($cursor, self::STEP);
            foreach ($part['entries'] as $entry) {
                if (str_starts_with($entry['key'], $prefix)) {
                    $found[$entry['key']] = $entry;
                }
            }
            $seen += \count($part['entries']);
            if (hrtime(true) >= $tell) {
                $errors->writeln(\sprintf('%d entries seen, %d found', $seen, \count($found)));
                $tell = hrtime(true) + self::SILENT_NS;
            }
        }

        return $found;
    }

    /** @param Entry $entry */
    private static function line(array $entry): string
    {
        $expires = $entry['expires'] === null ? 'without end' : gmdate('Y-m-d H:i:s\Z', (int) $entry['expires']);
        $meaning = CachedEntry::meaning($entry['key']);
        $key = self::shown($entry['key']) . ($meaning === null ? '' : '  (' . self::shown($meaning) . ')');

        return \sprintf('%-6s %10d  %-20s %s', $entry['type'], $entry['bytes'], $expires, $key);
    }
}
