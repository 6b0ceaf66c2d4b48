<?php

declare(strict_types=1);

namespace Larder\Proof\Code;

use Larder\Code\Head;
use Larder\Code\Puller;
use Larder\Proof\Mutation\Mutant;

/** A guard that is taken away, to see that the program finds what it prevents. */
enum MissingGuard: string
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

    /** Loads the class without the guard, in a process that has not loaded the real one. */
    public function takeAway(): void
    {
        $mutant = match ($this) {
            self::None, self::Path => null,
            self::Hash => new Mutant(Puller::class, [
                "if (\$pack === null || !hash_equals(\$hash, hash('sha256', \$pack)))" => 'if ($pack === null)',
            ]),
            self::Signature => new Mutant(Head::class, ['if (!$key->verifies(' => 'if (false && !$key->verifies(']),
            self::Number => new Mutant(Puller::class, ['if ($head->number < $state->number)' => 'if (false)']),
            self::Part => new Mutant(Puller::class, ["/.part-' . \$head->release" => "/' . \$head->release"]),
        };
        $mutant?->loadInstead();
    }
}
