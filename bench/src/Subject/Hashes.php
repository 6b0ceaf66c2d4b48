<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

interface Hashes extends KeyValue
{
    /** @param non-empty-array<string, string> $fields */
    public function setFields(string $key, array $fields): void;

    public function hasField(string $key, string $field): bool;

    public function field(string $key, string $field): ?string;

    /** @return array<string, string> */
    public function fields(string $key): array;
}
