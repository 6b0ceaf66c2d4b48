<?php

declare(strict_types=1);

namespace Larder\Tests\Bridge\Symfony;

use Stringable;

final readonly class StringableTag implements Stringable
{
    public function __construct(private string $word) {}

    public function __toString(): string
    {
        return $this->word;
    }
}
