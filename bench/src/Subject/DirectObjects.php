<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** Objects that the application serializes before a client stores the bytes ("direct"). */
final class DirectObjects implements Objects
{
    private string $last = '';

    public function __construct(
        private readonly KeyValue $store,
        private readonly Encoder $encoder,
        private readonly bool $checked = true,
    ) {}

    public function connect(Context $context): void
    {
        $this->store->connect($context);
    }

    public function close(): void
    {
        $this->store->close();
    }

    public function setObject(string $key, mixed $value): void
    {
        $this->last = $this->encoder->encode($value);
        $this->store->set($key, $this->last);
    }

    public function getObject(string $key): mixed
    {
        $bytes = $this->store->get($key);
        if (!$this->checked) {
            // A floor keeps nothing, and what the serializer costs is in the floor.
            $bytes = $this->last;
        }

        return $bytes === null ? null : $this->encoder->decode($bytes);
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        $value = null;
        for ($time = 0; $time < $times; ++$time) {
            $value = $this->getObject($key);
        }

        return $value;
    }

    /** Length of what was stored last. */
    public function bytes(): int
    {
        return \strlen($this->last);
    }
}
