<?php

declare(strict_types=1);

namespace Larder\Console\Root;

use Larder\Follow\Followed;
use Larder\Page\GuardedServers;
use Larder\Page\Site;

/**
 * What root has to know of a site, or of what is followed: names and paths, and no code.
 *
 * @internal
 */
final readonly class Outline
{
    /**
     * @param string       $place     directory whose owner does the work
     * @param list<string> $memcached servers of the pages
     */
    private function __construct(
        public string $place,
        public string $name = '',
        public string $list = '',
        public ?string $secrets = null,
        public ?string $guard = null,
        public array $memcached = [],
        public ?string $hitLog = null,
    ) {}

    public static function of(Site|Followed $described): self
    {
        return $described instanceof Followed ? new self($described->state) : new self(
            $described->pages,
            $described->name,
            $described->list,
            $described->visitors->contexts?->secrets,
            $described->storage->guard,
            $described->storage->memcached,
            $described->operations->hitLog,
        );
    }

    /** @return self|null null: that is none */
    public static function read(mixed $values): ?self
    {
        if (!\is_array($values) || !\is_string($values['place'] ?? null) || !str_starts_with($values['place'], '/')) {
            return null;
        }
        $text = static fn(string $name): ?string => \is_string($values[$name] ?? null) ? $values[$name] : null;
        $servers = \is_array($values['memcached'] ?? null) ? $values['memcached'] : [];

        return new self(
            $values['place'],
            $text('name') ?? '',
            $text('list') ?? '',
            $text('secrets'),
            $text('guard'),
            array_values(array_filter($servers, \is_string(...))),
            $text('hitLog'),
        );
    }

    /** @return array<array-key, mixed> for read() */
    public function values(): array
    {
        return get_object_vars($this);
    }

    /** @return GuardedServers|null null: no guard runs */
    public function guarded(): ?GuardedServers
    {
        return $this->guard === null || $this->memcached === []
            ? null
            : new GuardedServers($this->guard, $this->name, $this->memcached);
    }
}
