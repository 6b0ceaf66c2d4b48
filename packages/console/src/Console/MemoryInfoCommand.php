<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\SharedMemory;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('memory:info', 'Tells the state of the shared memory')]
final class MemoryInfoCommand extends MemoryCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->setHelp(
            "As JSON: what Larder\\SharedMemory::info() gives. The mode is the one of this command's "
                . "process.\n\nExample: <info>larder memory:info --name=site</info>",
        );
    }

    protected function answer(SharedMemory $memory, InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $info = $memory->info();
        $word = static fn(string $name): string => \is_scalar($info[$name] ?? null) ? (string) $info[$name] : '';
        $number = static fn(string $name): int => \is_int($info[$name] ?? null) ? $info[$name] : 0;
        $size = static fn(string $name): string => self::size($number($name));
        $lines = [
            \sprintf(
                '%s: %s at 0x%x, made %s',
                $word('name'),
                $size('size'),
                $number('base'),
                gmdate('Y-m-d H:i:s\Z', $number('made')),
            ),
            \sprintf(
                '%d entries, %d leases; %s of %s used, %s removed but perhaps still read; a value may have %s',
                $number('entries'),
                $number('leases'),
                $size('bytesUsed'),
                $size('bytesTotal'),
                $size('bytesLimbo'),
                $size('largest'),
            ),
            \sprintf(
                '%d stored, %d evicted, %d expired; refused: %d too large, %d for want of room',
                $number('stores'),
                $number('evictions'),
                $number('expirations'),
                $number('refusedLarge'),
                $number('refusedFull'),
            ),
            \sprintf(
                '%d of %d process slots used, %d taken back from dead processes, %d calls found none',
                $number('slotsUsed'),
                $number('slots'),
                $number('reaped'),
                $number('noSlot'),
            ),
            \sprintf(
                'locks: %d not given in time, %d recovered from dead processes',
                $number('lockTimeouts'),
                $number('recoveries'),
            ),
            $word('oldestPinAge') > 0.0
                ? \sprintf('process %s reads since %s s', $word('oldestPinProcess'), $word('oldestPinAge'))
                : 'nobody reads',
            \sprintf(
                'this process: mode %s%s',
                $word('mode'),
                $word('reason') === '' ? '' : ' (' . $word('reason') . ')',
            ),
        ];

        return new CommandAnswer($info, [...$lines, ...self::shards($info['shards'] ?? null)]);
    }

    /** @return list<string> */
    private static function shards(mixed $shards): array
    {
        $lines = [\sprintf('%5s %10s %12s %12s %10s %10s', 'shard', 'entries', 'used', 'limbo', 'stored', 'evicted')];
        foreach (\is_array($shards) ? array_values($shards) : [] as $number => $shard) {
            $count = static fn(string $name): int => \is_array($shard) && \is_int($shard[$name] ?? null)
                ? $shard[$name]
                : 0;
            $lines[] = \sprintf(
                '%5d %10d %12s %12s %10d %10d',
                $number,
                $count('entries'),
                self::size($count('bytesUsed')),
                self::size($count('bytesLimbo')),
                $count('stores'),
                $count('evictions'),
            );
        }

        return $lines;
    }

    private static function size(int $bytes): string
    {
        return match (true) {
            $bytes >= 1 << 30 => \sprintf('%.1f GB', $bytes / (1 << 30)),
            $bytes >= 1 << 20 => \sprintf('%.1f MB', $bytes / (1 << 20)),
            default => \sprintf('%.1f KB', $bytes / (1 << 10)),
        };
    }
}
