<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Cached;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Subject\MemoryUsage;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Redis\Phpredis;
use Larder\Bench\Subject\Remembering;
use Larder\Bench\Subject\Tagged;
use Larder\Testbed\Server\Endpoint;
use Redis;
use Symfony\Component\Cache\Adapter\AbstractAdapter;
use Symfony\Component\Cache\Adapter\ApcuAdapter;
use Symfony\Component\Cache\Adapter\MemcachedAdapter;
use Symfony\Component\Cache\Adapter\PhpFilesAdapter;
use Symfony\Component\Cache\Adapter\RedisAdapter;
use Symfony\Component\Cache\Adapter\RedisTagAwareAdapter;
use Symfony\Component\Cache\Adapter\TagAwareAdapter;
use Symfony\Component\Cache\Adapter\TagAwareAdapterInterface;
use Symfony\Component\Cache\LockRegistry;
use Symfony\Contracts\Cache\ItemInterface;

/**
 * symfony/cache by its own get(): on a miss one process computes, by a lock on one of its files. With tags or without:
 * each is another pool.
 */
final class SymfonyCache implements KeyValue, MemoryReporting, Remembering, Objects, Tagged
{
    private AbstractAdapter|PhpFilesAdapter|TagAwareAdapter|RedisTagAwareAdapter $pool;
    private Failures $failures;
    private Context $context;

    /**
     * @param float $beta how eagerly it makes a value anew before its end; 0: not at all
     * @param 'versions'|'sets'|null $tags a version for each tag beside the values, wherever they are, or a set of keys
     *     for each tag, in Redis; null: a pool without tags
     */
    public function __construct(
        private readonly StoreKind $kind,
        private readonly float $beta = 1.0,
        private readonly ?string $tags = null,
    ) {}

    public function connect(Context $context): void
    {
        $this->context = $context;
        $this->failures = new Failures();
        $this->pool = match ($this->tags) {
            'versions' => new TagAwareAdapter(self::pool($this->kind, $context)),
            'sets' => new RedisTagAwareAdapter(self::redis($context), 'symfony'),
            default => self::pool($this->kind, $context),
        };
        $this->pool->setLogger($this->failures);
        self::reopenLocks();
        // Its default, but not on the command line.
        $this->pool->setCallbackWrapper(LockRegistry::compute(...));
    }

    public function close(): void
    {
        unset($this->pool);
    }

    public function get(string $key): ?string
    {
        $value = $this->getObject($key);

        return \is_string($value) ? $value : null;
    }

    public function set(string $key, string $value): void
    {
        $this->setObject($key, $value);
    }

    public function delete(string $key): void
    {
        $deleted = $this->pool->deleteItem(self::name($key));
        $this->failures->mustBeNone('delete', $key);
        if (!$deleted) {
            throw Failed::during('deleteItem', $key, 'refused');
        }
    }

    public function setObject(string $key, mixed $value): void
    {
        $saved = $this->pool->save($this->pool->getItem(self::name($key))->set($value));
        $this->failures->mustBeNone('save', $key);
        if (!$saved) {
            throw Failed::during('save', $key, 'refused');
        }
    }

    public function getObject(string $key): mixed
    {
        $value = $this->pool->getItem(self::name($key))->get();
        $this->failures->mustBeNone('getItem', $key);

        return $value;
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        $pool = $this->pool;
        $name = self::name($key);
        $value = null;
        for ($time = 0; $time < $times; ++$time) {
            $value = $pool->get($name, static fn(): never => throw Failed::during('get', $key, 'not there'));
        }
        $this->failures->mustBeNone('get', $key);

        return $value;
    }

    /**
     * It knows no window: the value is kept for its whole life, and made anew by chance, the more likely the nearer its
     * end.
     */
    public function remember(string $key, Closure $compute, Freshness $freshness): mixed
    {
        $value = $this->pool->get(self::name($key), static function (ItemInterface $item) use (
            $compute,
            $freshness,
        ): mixed {
            $item->expiresAfter((int) ceil($freshness->life));

            return $compute();
        }, $this->beta);
        $this->failures->mustBeNone('get', $key);

        return $value;
    }

    public function forget(string $key): void
    {
        $this->delete($key);
    }

    public function tagged(string $key, Closure $compute, array $tags): mixed
    {
        $names = self::tagNames($tags);
        $value = $this->pool->get(self::name($key), static function (
            ItemInterface $item,
        ) use ($compute, $names): mixed {
            $item->tag($names);

            return $compute();
        });
        $this->failures->mustBeNone('get', $key);

        return $value;
    }

    public function change(array $tags, Closure $write): void
    {
        $write();
        $done = $this->pool instanceof TagAwareAdapterInterface && $this->pool->invalidateTags(self::tagNames($tags));
        $this->failures->mustBeNone('invalidateTags', (string) $tags[0]);
        if (!$done) {
            throw Failed::during('invalidateTags', (string) $tags[0], 'refused');
        }
    }

    public function usage(): MemoryUsage
    {
        return new MemoryUsage($this->kind->bytes($this->context));
    }

    /** Names that it takes: it reserves some of the characters that the bench's keys have. */
    private static function name(string $key): string
    {
        return rawurlencode($key);
    }

    /** A lock's file that was opened before a fork is one lock for all: each process opens it anew. */
    private static function reopenLocks(): void
    {
        LockRegistry::setFiles(LockRegistry::setFiles([]));
    }

    private static function pool(StoreKind $kind, Context $context): AbstractAdapter|PhpFilesAdapter
    {
        $servers = $context->endpoints;

        return match ($kind) {
            StoreKind::Apcu => new ApcuAdapter('symfony'),
            StoreKind::Files => new PhpFilesAdapter('symfony', 0, $context->directory . '/symfony-phpfiles'),
            StoreKind::Memcached => self::memcached($servers),
            StoreKind::Redis => new RedisAdapter(self::redis($context), 'symfony'),
            default => throw Failed::connecting($kind->value, 'there is no such adapter'),
        };
    }

    private static function redis(Context $context): Redis
    {
        return Phpredis::open(
            $context->endpoints[0] ?? throw Failed::connecting('Redis', 'no server is there'),
            $context->timeout,
        );
    }

    /** @param list<Endpoint> $servers */
    private static function memcached(array $servers): MemcachedAdapter
    {
        $client = MemcachedAdapter::createConnection(
            array_map(
                static fn(Endpoint $server): string => \sprintf('memcached://%s:%d', $server->host, $server->port),
                $servers,
            ),
        );
        $versions = @$client->getVersion();
        // 255.255.255 is what it says of a server that it could not ask.
        if ($client->getResultCode() !== \Memcached::RES_SUCCESS || \in_array('255.255.255', $versions, true)) {
            throw Failed::connecting('memcached', $client->getResultMessage());
        }

        return new MemcachedAdapter($client, 'symfony');
    }

    /**
     * @param list<int> $tags
     *
     * @return list<string>
     */
    private static function tagNames(array $tags): array
    {
        return array_map(static fn(int $tag): string => 'tag.' . $tag, $tags);
    }
}
