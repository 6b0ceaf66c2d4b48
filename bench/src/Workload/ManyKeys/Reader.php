<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\ManyKeys;

/** Reads keys and checks that exactly these come back, each with the value that was set last. Returns the bytes of the values. */
final readonly class Reader
{
    public function __construct(private Verifier $verifier) {}

    /** @param non-empty-list<string> $keys */
    public function many(ManyKeys $subject, array $keys, int $generation): int
    {
        $got = $subject->getMany($keys);
        $bytes = 0;
        foreach ($keys as $key) {
            $value = $got[$key] ?? null;
            $this->verifier->value($key, $value, $generation, $generation);
            $bytes += \strlen($value ?? '');
        }
        $this->verifier->that(\count($got) === \count($keys), 'more keys in the reply than were asked for');

        return $bytes;
    }

    /** @param non-empty-list<string> $keys */
    public function single(KeyValue $subject, array $keys, int $generation): int
    {
        $bytes = 0;
        foreach ($keys as $key) {
            $value = $subject->get($key);
            $this->verifier->value($key, $value, $generation, $generation);
            $bytes += \strlen($value ?? '');
        }

        return $bytes;
    }
}
