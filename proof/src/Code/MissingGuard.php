<?php

declare(strict_types=1);

namespace Larder\Proof\Code;

use Larder\Code\Head;
use Larder\Code\Puller;
use Larder\Proof\Mutation\Guard;
use Larder\Proof\Mutation\Mutant;

/** A guard that is taken away, to see that the program finds what it prevents. */
enum MissingGuard: string implements Guard
{
    case None = '';
    /** The page names its files by the link, and not by the directory of its release. */
    case Path = 'path';
    /** A pack is taken without a look at its hash. */
    case Hash = 'hash';
    /** A release is taken whoever signed it. */
    case Signature = 'signature';
    /** A release is taken however old it is. */
    case Number = 'number';
    /** A release is laid down under its name, and not renamed when it is whole. */
    case Part = 'part';

    public function mutants(): array
    {
        return match ($this) {
            self::None, self::Path => [],
            self::Hash => [Mutant::of(Puller::class)->remove('fetchMissing / operand hash_equals')],
            self::Signature => [Mutant::of(Head::class)
                ->replace('open / branch verifies / cond', 'false && {itself}')],
            self::Number => [Mutant::of(Puller::class)->replace('isHere / branch number because / cond', 'false')],
            self::Part => [Mutant::of(Puller::class)->text('layDown', '/.part-', '/')],
        };
    }

    /** Loads the class without the guard, in a process that has not loaded the real one. */
    public function takeAway(): void
    {
        array_map(static fn(Mutant $mutant) => $mutant->loadInstead(), $this->mutants());
    }
}
