<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** One call for many keys, by the client's own multi-key operations (never a loop over single ones). */
interface ManyKeys extends KeyValue
{
    /**
     * @param non-empty-list<string> $keys
     *
     * @return array<string, string> those that are there, in any order
     */
    public function getMany(array $keys): array;

    /** @param non-empty-array<int|string, string> $values by key; PHP has made an int of one such as "12" */
    public function setMany(array $values): void;

    /** @param non-empty-list<string> $keys */
    public function deleteMany(array $keys): void;
}
