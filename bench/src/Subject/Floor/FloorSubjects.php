<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Floor;

use Larder\Bench\Result\Role;
use Larder\Bench\Subject\Definition;

final readonly class FloorSubjects
{
    /** @return list<Definition> */
    public static function all(): array
    {
        $noop = static fn(): Noop => new Noop();
        $array = static fn(): ArrayStore => new ArrayStore();

        return [
            new Definition('noop', 'Nothing at all', Noop::class, $noop, role: Role::Floor, terms: [
                'client' => 'PHP ' . PHP_VERSION,
                'note' => 'takes every call and does nothing: the cost of the workload and of a method call',
            ]),
            new Definition('array', 'PHP array', ArrayStore::class, $array, role: Role::Floor, shared: false, terms: [
                'client' => 'PHP ' . PHP_VERSION,
                'serializer' => 'none: values stay where they are',
                'note' => 'each process has its own: what no cache shared by processes can beat',
            ]),
        ];
    }
}
