<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Cached;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Subject\MemoryUsage;
use Larder\Bench\Subject\Redis\RedisConnection;
use Larder\Bench\Subject\Tagged;
use Symfony\Component\Cache\Adapter\RedisTagAwareAdapter;
use Symfony\Component\Cache\Adapter\TagAwareAdapter;
use Symfony\Component\Cache\LockRegistry;
use Symfony\Contracts\Cache\ItemInterface;

/** The pools of symfony/cache that have tags. */
final class SymfonyTags implements MemoryReporting, Tagged
{
    private TagAwareAdapter|RedisTagAwareAdapter $pool;
    private Failures $failures;
    private Context $context;

    /**
     * @param bool $sets a set of keys for each tag, in Redis; false: a version for each tag beside the values, wherever
     *     they are
     */
    public function __construct(
        private readonly StoreKind $kind,
        private readonly bool $sets = false,
    ) {}

    public function connect(Context $context): void
    {
        $this->context = $context;
        $this->failures = new Failures();
        $this->pool = $this->sets
            ? new RedisTagAwareAdapter(
                RedisConnection::phpredis(
                    $context->endpoints[0] ?? throw Failed::connecting('Redis', 'no server is there'),
                    $context->timeout,
                ),
                'symfony',
            )
            : new TagAwareAdapter(SymfonyCache::pool($this->kind, $context));
        $this->pool->setLogger($this->failures);
        SymfonyCache::reopenLocks();
        $this->pool->setCallbackWrapper(LockRegistry::compute(...));
    }

    public function close(): void
    {
        unset($this->pool);
    }

    public function tagged(string $key, Closure $compute, array $tags): mixed
    {
        $names = self::names($tags);
        $value = $this->pool->get(SymfonyCache::name($key), static function (
            ItemInterface $item,
        ) use ($compute, $names): mixed {
            $item->tag($names);

            return $compute();
        });
        $this->failures->mustBeNone('get', $key);

        return $value;
    }

    public function forget(string $key): void
    {
        $deleted = $this->pool->deleteItem(SymfonyCache::name($key));
        $this->failures->mustBeNone('deleteItem', $key);
        if (!$deleted) {
            throw Failed::during('deleteItem', $key, 'refused');
        }
    }

    public function change(array $tags, Closure $write): void
    {
        $write();
        $done = $this->pool->invalidateTags(self::names($tags));
        $this->failures->mustBeNone('invalidateTags', (string) $tags[0]);
        if (!$done) {
            throw Failed::during('invalidateTags', (string) $tags[0], 'refused');
        }
    }

    public function usage(): MemoryUsage
    {
        return new MemoryUsage($this->kind->bytes($this->context));
    }

    /**
     * @param list<int> $tags
     *
     * @return list<string>
     */
    private static function names(array $tags): array
    {
        return array_map(static fn(int $tag): string => 'tag.' . $tag, $tags);
    }
}
