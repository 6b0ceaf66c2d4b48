<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Support;

use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\KeyValue;

/** A client with one fault, to show that the bench sees it. */
final class Faulty implements KeyValue
{
    private int $sets = 0;

    /** @var array<string, string> first value of each key */
    private array $first = [];

    private string $last = '';

    public function __construct(
        private readonly KeyValue $inner,
        private readonly Fault $fault,
    ) {}

    public function connect(Context $context): void
    {
        $this->inner->connect($context);
    }

    public function close(): void
    {
        $this->inner->close();
    }

    public function get(string $key): ?string
    {
        if ($this->fault === Fault::Slow) {
            $begin = hrtime(true);
            $value = $this->inner->get($key);
            $this->burn($begin);

            return $value;
        }
        $value = $this->inner->get(
            $this->fault === Fault::OtherKey && $this->last !== '' && ++$this->sets % 50 === 0 ? $this->last : $key,
        );
        $this->last = $key;

        return match ($this->fault) {
            Fault::Truncated => $value === null ? null : substr($value, 0, -1),
            Fault::OldGeneration => $this->first[$key] ?? $value,
            default => $value,
        };
    }

    public function set(string $key, string $value): void
    {
        $this->first[$key] ??= $value;
        if ($this->fault === Fault::Slow) {
            $begin = hrtime(true);
            $this->inner->set($key, $value);
            $this->burn($begin);
        } elseif ($this->fault !== Fault::DropsSets || ++$this->sets % 200 !== 0) {
            $this->inner->set($key, $value);
        }
    }

    public function delete(string $key): void
    {
        $this->inner->delete($key);
    }

    /** A tenth more of what the call took. */
    private function burn(int $begin): void
    {
        $now = hrtime(true);
        $end = $now + intdiv($now - $begin, 10);
        while (hrtime(true) < $end);
    }
}
