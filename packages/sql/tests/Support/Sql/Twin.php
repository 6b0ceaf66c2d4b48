<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** One of two connections that do the same, and must tell the same of it. */
interface Twin
{
    /** @return list<mixed> all that an application can see of it, in a form that `===` compares */
    public function answer(Command $command, Taking $taking): array;

    /** Ends what a group of commands has left open. */
    public function end(): void;

    /** @return list<array<string, scalar|null>> in the order of their ids */
    public function rows(string $table): array;
}
