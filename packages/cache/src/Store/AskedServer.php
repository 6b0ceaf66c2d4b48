<?php

declare(strict_types=1);

namespace Larder\Store;

/** @internal What one server of a store says of itself when it is asked, or why it says nothing. */
final readonly class AskedServer
{
    /**
     * @param string   $failure    why it does not answer; empty: it does
     * @param int|null $bytes      that its values take
     * @param int|null $bytesLimit null: it has none, or does not tell
     * @param int|null $evictions  since it began
     * @param int|null $seconds    since it began
     */
    public function __construct(
        public string $failure = '',
        public string $version = '',
        public ?int $bytes = null,
        public ?int $bytesLimit = null,
        public ?int $items = null,
        public ?int $evictions = null,
        public ?int $hits = null,
        public ?int $misses = null,
        public ?int $seconds = null,
    ) {}

    public function answers(): bool
    {
        return $this->failure === '';
    }

    /** @param array<array-key, string> $stats of memcached's `stats` */
    public static function ofMemcached(array $stats): self
    {
        $number = static fn(string $name): ?int => is_numeric($stats[$name] ?? null) ? (int) $stats[$name] : null;

        return new self(
            '',
            'memcached ' . ($stats['version'] ?? ''),
            $number('bytes'),
            $number('limit_maxbytes'),
            $number('curr_items'),
            $number('evictions'),
            $number('get_hits'),
            $number('get_misses'),
            $number('uptime'),
        );
    }

    /** @param string $info of Redis' INFO */
    public static function ofRedis(string $info): self
    {
        preg_match_all('/^([a-z0-9_]+):([^\r\n]*)\r?$/m', $info, $lines);
        $found = array_combine($lines[1], $lines[2]);
        $number = static fn(string $name): ?int => is_numeric($found[$name] ?? null) ? (int) $found[$name] : null;
        preg_match_all('/^db\d+:keys=(\d+)/m', $info, $keys);

        return new self(
            '',
            'Redis ' . ($found['redis_version'] ?? ''),
            $number('used_memory'),
            $number('maxmemory') === 0 ? null : $number('maxmemory'),
            array_sum(array_map(intval(...), $keys[1])),
            $number('evicted_keys'),
            $number('keyspace_hits'),
            $number('keyspace_misses'),
            $number('uptime_in_seconds'),
        );
    }

    /** @return array<string, string|int|bool|null> for JSON */
    public function values(): array
    {
        return [
            'answers' => $this->answers(),
            'failure' => $this->failure,
            'version' => $this->version,
            'bytes' => $this->bytes,
            'bytes_limit' => $this->bytesLimit,
            'items' => $this->items,
            'evictions' => $this->evictions,
            'hits' => $this->hits,
            'misses' => $this->misses,
            'seconds' => $this->seconds,
        ];
    }
}
