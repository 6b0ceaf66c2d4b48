<?php

declare(strict_types=1);

namespace Larder\Bridge\Symfony;

use Closure;
use Larder\Dependency\Dependency;
use Larder\Exception\UnknownName;
use Larder\Psr\InvalidArgument;
use Larder\Psr\Time;

/**
 * Runs the callback of one get() call, and remembers what the callback said about its value.
 *
 * @internal
 *
 * @phpstan-import-type Kept from TaggedCache
 */
final class CallbackRun
{
    /** @var Kept|null */
    private ?array $made = null;

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

    /** @return Kept */
    public function compute(): array
    {
        $begin = hrtime(true);
        $item = new TaggedItem($this->key, $this->time, function (string $tag): void {
            try {
                try {
                    ($this->reads)($tag);
                } catch (UnknownName) {
                    ($this->reads)(Dependency::WORD . $tag);
                }
            } catch (UnknownName $exception) {
                throw InvalidArgument::unknown($exception);
            }
        });
        $value = ($this->callback)($item, $this->save);

        return $this->made = [
            'value' => $value,
            'expiry' => $item->end() ?? ($this->default === null ? null : $this->time->now() + $this->default),
            'ctime' => (int) ceil((hrtime(true) - $begin) / 1e6),
            'tags' => $item->tags(),
        ];
    }

    /**
     * @param Kept $kept as compute() returned it
     *
     * @return float|null seconds; 0 or less: the value is not kept; null: the cache's default
     */
    public function ttl(array $kept): ?float
    {
        if (!$this->save) {
            return 0.0;
        }

        return $kept['expiry'] === null ? null : Time::limit($kept['expiry'] - $this->time->now());
    }

    /** @return Kept|null null: nothing had to be made, or it could not */
    public function made(): ?array
    {
        return $this->made;
    }

    /** Whether a value was made here that should be there now. */
    public function isToBeKept(): bool
    {
        return $this->made !== null && $this->save && ($this->made['expiry'] ?? INF) > $this->time->now();
    }
}
