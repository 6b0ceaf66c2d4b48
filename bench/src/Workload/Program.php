<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Subject;

/** What works in processes that the workload starts, so that there is nothing to connect: its id says what it is. */
final readonly class Program implements Subject
{
    /**
     * @param array<string, string> $terms
     * @param list<string>          $extensions
     * @param array<string, string> $ini of the windows' processes
     */
    public static function definition(
        string $id,
        string $title,
        array $terms,
        Kind $needs = Kind::None,
        array $extensions = [],
        array $ini = [],
        Role $role = Role::Contender,
    ): Definition {
        return new Definition(
            $id,
            $title,
            self::class,
            static fn(): self => new self(),
            $needs,
            $role,
            $terms,
            $extensions,
            ini: $ini,
        );
    }

    public function connect(Context $context): void {}

    public function close(): void {}
}
