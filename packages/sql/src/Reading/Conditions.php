<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/** @internal What AND joins: all of it must hold. Of conditions that are no equalities nothing is kept. */
final readonly class Conditions
{
    /** @param list<Equality> $equalities */
    public function __construct(public array $equalities) {}
}
