<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * What one memcached server of pages says of itself.
 *
 * @internal for the program `larder`
 */
final readonly class ServerReport
{
    /**
     * @param string|null           $failure  why it was not asked, or does not answer; null: it does
     * @param bool                  $isOut    `larder guard` has taken it out
     * @param array<string, string> $stats    by memcached's names
     * @param array<string, string> $settings by memcached's names
     * @param string|null           $life     of the ledger whose pages it has; null: it does not know
     */
    public function __construct(
        public string $address,
        public ?string $failure,
        public bool $isOut = false,
        private array $stats = [],
        private array $settings = [],
        public ?string $life = null,
    ) {}

    public function version(): string
    {
        return $this->stats['version'] ?? '';
    }

    /** @return int a counter or a size; 0: it does not say */
    public function number(string $name): int
    {
        return (int) ($this->stats[$name] ?? 0);
    }

    public function setting(string $name): string
    {
        return $this->settings[$name] ?? '';
    }

    /**
     * For `larder stats` and `larder top`.
     *
     * @return array{server: string, state: string, reason: string|null, version: string|null, bytes: int,
     *     bytes_limit: int, items: int, evictions: int, hits: int, misses: int, connections: int}
     */
    public function values(): array
    {
        return [
            'server' => $this->address,
            'state' => $this->isOut ? 'out' : ($this->failure === null ? 'up' : 'fails'),
            'reason' => $this->failure,
            'version' => $this->version() === '' ? null : $this->version(),
            'bytes' => $this->number('bytes'),
            'bytes_limit' => $this->number('limit_maxbytes'),
            'items' => $this->number('curr_items'),
            'evictions' => $this->number('evictions'),
            'hits' => $this->number('get_hits'),
            'misses' => $this->number('get_misses'),
            'connections' => $this->number('curr_connections'),
        ];
    }

    public function line(): string
    {
        if ($this->failure !== null) {
            return \sprintf('%s %s: %s', $this->address, $this->isOut ? 'is out' : 'FAILS', $this->failure);
        }

        return \sprintf(
            '%s is up: %d items, %.1f of %.1f MB, %d evictions, %d hits and %d misses, %d connections',
            $this->address,
            $this->number('curr_items'),
            $this->number('bytes') / (1 << 20),
            $this->number('limit_maxbytes') / (1 << 20),
            $this->number('evictions'),
            $this->number('get_hits'),
            $this->number('get_misses'),
            $this->number('curr_connections'),
        );
    }
}
