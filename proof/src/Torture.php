<?php

declare(strict_types=1);

namespace Larder\Proof;

/** A program that tries to break a promise and says how often it succeeded. */
interface Torture
{
    public function about(): About;

    /** What the run has started is ended by the caller, which also removes its directory. */
    public function run(Run $run): Result;
}
