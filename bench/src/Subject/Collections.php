<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** Lists, hashes and sets that the server itself keeps. */
interface Collections extends KeyValue
{
    /** @return int the list's length afterwards */
    public function pushRight(string $key, string $value): int;

    /** @return int the list's length afterwards */
    public function pushLeft(string $key, string $value): int;

    public function popLeft(string $key): ?string;

    /** @param non-empty-array<string, string> $fields */
    public function setFields(string $key, array $fields): void;

    public function hasField(string $key, string $field): bool;

    public function field(string $key, string $field): ?string;

    /** @return array<string, string> */
    public function fields(string $key): array;

    /** @return bool whether the set did not have it before */
    public function add(string $key, string $member): bool;

    public function holds(string $key, string $member): bool;

    /** @return bool whether the first set had it */
    public function move(string $from, string $to, string $member): bool;

    public function random(string $key): ?string;
}
