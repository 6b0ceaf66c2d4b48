<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use Closure;

/** Connects and closes at each call, and asks for nothing: the floor under ConnectPerCall. Its answers mean nothing. */
final class ConnectOnly implements KeyValue
{
    private Context $context;

    /** @param Closure(): Subject $make */
    public function __construct(private readonly Closure $make) {}

    public function connect(Context $context): void
    {
        $this->context = $context;
        $this->once();
    }

    public function close(): void {}

    public function get(string $key): string
    {
        $this->once();

        return '';
    }

    public function set(string $key, string $value): void
    {
        $this->once();
    }

    public function delete(string $key): void
    {
        $this->once();
    }

    private function once(): void
    {
        $subject = ($this->make)();
        $subject->connect($this->context);
        $subject->close();
    }
}
