<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use Closure;

/**
 * A connection for every call, as sites and published comparisons have it: what not keeping one costs.
 *
 * With `$asks` false it connects and closes at each call and asks for nothing: the floor under the others. Its answers
 * then mean nothing.
 */
final class ConnectPerCall implements KeyValue
{
    private Context $context;

    /**
     * @param Closure(): KeyValue      $make  whose connect() does nothing but connect
     * @param Closure(): KeyValue|null $first the same, which also makes sure that the store is ready; null: that is the
     *     same
     */
    public function __construct(
        private readonly Closure $make,
        private readonly ?Closure $first = null,
        private readonly bool $asks = true,
    ) {}

    public function connect(Context $context): void
    {
        $this->context = $context;
        $subject = ($this->first ?? $this->make)();
        $subject->connect($context);
        $subject->close();
    }

    public function close(): void {}

    public function get(string $key): ?string
    {
        $subject = ($this->make)();
        $subject->connect($this->context);
        $value = $this->asks ? $subject->get($key) : '';
        $subject->close();

        return $value;
    }

    public function set(string $key, string $value): void
    {
        $subject = ($this->make)();
        $subject->connect($this->context);
        if ($this->asks) {
            $subject->set($key, $value);
        }
        $subject->close();
    }

    public function delete(string $key): void
    {
        $subject = ($this->make)();
        $subject->connect($this->context);
        if ($this->asks) {
            $subject->delete($key);
        }
        $subject->close();
    }
}
