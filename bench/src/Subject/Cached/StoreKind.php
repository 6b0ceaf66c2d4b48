<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Cached;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Endpoint;

/** Where a cache keeps its values. */
enum StoreKind: string
{
    case Memory = 'memory';
    case Apcu = 'apcu';
    case Files = 'phpfiles';
    case Memcached = 'memcached';
    /**
     * The client itself as the store: without the namespace of a MemcachedStore, which asks for one key more with each.
     */
    case MemcachedClient = 'memcached-client';
    case Redis = 'redis';
    /** Shared memory in front of memcached. */
    case Tiered = 'tiered';

    /** As it says itself; shared memory in front of a server is not counted, since it has its fixed size. */
    public function bytes(Context $context): int
    {
        $bytes = match ($this) {
            self::Memory => (new \Larder\SharedMemory())->info()['bytesUsed'] ?? null,
            self::Apcu => self::ofApcu(),
            self::Files => self::ofFiles($context->directory),
            self::Memcached,
            self::MemcachedClient,
            self::Tiered => self::asked($context, "stats\r\n", "END\r\n", '/^STAT bytes (\d+)/m'),
            self::Redis => self::asked(
                $context,
                "INFO memory\r\nPING\r\n",
                "+PONG\r\n",
                '/^used_memory_dataset:(\d+)/m',
            ),
        };

        return is_numeric($bytes) ? (int) $bytes : throw Failed::during('bytes', $this->value, 'not told');
    }

    private static function ofApcu(): int
    {
        $memory = apcu_sma_info(true);
        $figure = static fn(string $name): int => \is_array($memory) && is_numeric($memory[$name] ?? null)
            ? (int) $memory[$name]
            : 0;

        return $figure('num_seg') * $figure('seg_size') - $figure('avail_mem');
    }

    private static function ofFiles(string $directory): int
    {
        $bytes = 0;
        /** @var \SplFileInfo $file */
        foreach (new \RecursiveIteratorIterator(
            new \RecursiveDirectoryIterator($directory, \FilesystemIterator::SKIP_DOTS),
        ) as $file) {
            $bytes += $file->isFile() ? (int) $file->getSize() : 0;
        }

        return $bytes;
    }

    private static function asked(Context $context, string $question, string $end, string $figure): ?string
    {
        $server = $context->endpoints[0] ?? throw Failed::connecting('a server', 'none is there');
        $answer = (string) Exchange::with(self::address($server), $question, $end);

        return preg_match($figure, $answer, $found) === 1 ? $found[1] : null;
    }

    private static function address(Endpoint $server): string
    {
        return $server->socket !== null && $server->port === 0
            ? 'unix://' . $server->socket
            : 'tcp://' . $server->host . ':' . $server->port;
    }
}
