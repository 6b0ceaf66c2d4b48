<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** Keys are printable ASCII without spaces, at most 200 bytes; values any bytes. */
interface KeyValue extends Subject
{
    /** Null: not there. */
    public function get(string $key): ?string;

    /** Adds or replaces. */
    public function set(string $key, string $value): void;

    /** No matter whether it was there. */
    public function delete(string $key): void;
}
