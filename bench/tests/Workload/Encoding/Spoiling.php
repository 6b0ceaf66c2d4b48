<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Encoding;

use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Encoder;

/** PHP's serializer, but it replaces the last text of a value by another one of the same length. */
final class Spoiling implements Encoder
{
    private int $decoded = 0;

    /** @param int $every how many decodings; the first of all is right unless this is 1 */
    public function __construct(private readonly int $every = 1) {}

    public function connect(Context $context): void {}

    public function close(): void {}

    public function encode(mixed $value): string
    {
        return serialize($value);
    }

    public function decode(string $bytes): mixed
    {
        if (++$this->decoded % $this->every === 0) {
            $at = strrpos($bytes, 'depth 0"');
            $bytes = substr_replace($bytes, 'x', $at === false ? (int) strrpos($bytes, '";') - 1 : $at + 6, 1);
        }

        return unserialize($bytes);
    }
}
