<?php

declare(strict_types=1);

namespace Larder\Bridge\Symfony;

use Closure;
use Larder\Dependency\Name;
use Larder\Exception\UnknownName;
use Larder\Psr\InvalidArgument;
use Larder\Psr\Time;
use Symfony\Contracts\Cache\ItemInterface;

/**
 * Runs the callback of one get() call, and remembers what the callback said about its value.
 *
 * @internal
 */
final class CallbackRun
{
    /** Null: the callback has not run to its end. */
    private ?TaggedItem $item = null;

    private mixed $value = null;

    private bool $save = true;

    /**
     * @param Closure(TaggedItem, bool): mixed $callback
     * @param Closure(string): void            $reads
     * @param float|null                       $default seconds
     */
    public function __construct(
        private readonly string $key,
        private readonly Closure $callback,
        private readonly Time $time,
        private readonly Closure $reads,
        private readonly ?float $default,
    ) {}

    public function compute(): mixed
    {
        $item = new TaggedItem($this->key, $this->time, function (string $tag): void {
            try {
                try {
                    ($this->reads)($tag);
                } catch (UnknownName) {
                    ($this->reads)(Name::WORD . $tag);
                }
            } catch (UnknownName $exception) {
                throw InvalidArgument::unknown($exception);
            }
        });
        $this->value = ($this->callback)($item, $this->save);
        $this->item = $item;

        return $this->value;
    }

    /** @return float|null seconds; 0 or less: the value is not kept; null: the cache's default */
    public function ttl(): ?float
    {
        $end = $this->item?->end();

        return match (true) {
            !$this->save => 0.0,
            $end === null => $this->default,
            default => Time::limit($end - $this->time->now()),
        };
    }

    /** Whether a value was made here. */
    public function hasMade(): bool
    {
        return $this->item !== null;
    }

    public function value(): mixed
    {
        return $this->value;
    }

    /** Whether a value was made here that should be there now. */
    public function isToBeKept(): bool
    {
        return $this->item !== null && $this->save && ($this->ttl() ?? INF) > 0.0;
    }

    /** @return array<string, mixed> of a value that was made here */
    public function metadata(): array
    {
        $tags = $this->item?->tags() ?? [];
        $metadata = [ItemInterface::METADATA_TAGS => array_combine($tags, $tags)];
        $end = $this->item?->end();

        return $end === null ? $metadata : [ItemInterface::METADATA_EXPIRY => $end] + $metadata;
    }
}
