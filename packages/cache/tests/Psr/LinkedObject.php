<?php

declare(strict_types=1);

namespace Larder\Tests\Psr;

/** An object as applications have them: with private state, and with what is left out when it is stored. */
final class LinkedObject
{
    private int $opened = 0;

    public function __construct(private readonly string $name, public ?self $next = null) {}

    /** @return list<string> */
    public function __sleep(): array
    {
        return ['name', 'next'];
    }

    public function open(): string
    {
        ++$this->opened;

        return $this->name . $this->opened;
    }
}
