<?php

declare(strict_types=1);

namespace Larder\Proof\Mutation;

use BackedEnum;

/** A guard of the library that a proof can be run without, to see that it is needed. */
interface Guard extends BackedEnum
{
    /** @return list<Mutant> the classes without it */
    public function mutants(): array;
}
