<?php

declare(strict_types=1);

namespace Larder\Bridge\Symfony;

use Closure;
use DateInterval;
use DateTimeInterface;
use Larder\Psr\InvalidArgument;
use Larder\Psr\Item;
use Larder\Psr\Key;
use Larder\Psr\Time;
use Stringable;
use Symfony\Contracts\Cache\ItemInterface;

/**
 * The item that a callback of TaggedCache::get() gets, to say how long its value is good and what it was made from.
 *
 * @internal
 */
final class TaggedItem implements ItemInterface
{
    private readonly Item $item;

    /** @var array<array-key, string> by itself */
    private array $tags = [];

    /**
     * @internal TaggedCache makes items
     *
     * @param Closure(string): void $reads gets each tag once
     */
    public function __construct(
        string $key,
        Time $time,
        private readonly Closure $reads,
    ) {
        $this->item = new Item($key, $time);
    }

    public function getKey(): string
    {
        return $this->item->getKey();
    }

    public function get(): mixed
    {
        return $this->item->get();
    }

    public function isHit(): bool
    {
        return $this->item->isHit();
    }

    public function set(mixed $value): static
    {
        $this->item->set($value);

        return $this;
    }

    public function expiresAt(?DateTimeInterface $expiration): static
    {
        $this->item->expiresAt($expiration);

        return $this;
    }

    public function expiresAfter(int|DateInterval|null $time): static
    {
        $this->item->expiresAfter($time);

        return $this;
    }

    /**
     * @param string|iterable<mixed> $tags
     *
     * @throws InvalidArgument
     */
    public function tag(string|iterable $tags): static
    {
        foreach (\is_string($tags) ? [$tags] : $tags as $tag) {
            $tag = Key::of($tag instanceof Stringable ? (string) $tag : $tag, 'tag');
            if (!isset($this->tags[$tag])) {
                ($this->reads)($tag);
                $this->tags[$tag] = $tag;
            }
        }

        return $this;
    }

    /** @return array{} what is being made has none yet */
    public function getMetadata(): array
    {
        return [];
    }

    /**
     * @internal for the cache
     *
     * @return list<string>
     */
    public function tags(): array
    {
        return array_values($this->tags);
    }

    /**
     * @internal for the cache
     *
     * @return float|null Unix time; null: the cache's default
     */
    public function end(): ?float
    {
        return $this->item->end();
    }
}
