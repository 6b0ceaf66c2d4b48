<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Encoding;

use Closure;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Encoder;

/** PHP's serializer, but every 1,000th result is changed. */
final class Lossy implements Encoder
{
    private int $calls = 0;

    /**
     * @param Closure(string): string|null $encoded
     * @param Closure(mixed): mixed|null   $decoded
     */
    public function __construct(
        private readonly ?Closure $encoded = null,
        private readonly ?Closure $decoded = null,
        private readonly int $every = 1000,
    ) {}

    public function connect(Context $context): void {}

    public function close(): void {}

    public function encode(mixed $value): string
    {
        $bytes = serialize($value);

        return $this->encoded !== null && ++$this->calls % $this->every === 0 ? ($this->encoded)($bytes) : $bytes;
    }

    public function decode(string $bytes): mixed
    {
        $value = unserialize($bytes);

        return $this->decoded !== null && ++$this->calls % $this->every === 0 ? ($this->decoded)($value) : $value;
    }
}
