<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Proof\Mutation\Guard;

/** The real classes with one guard broken. */
interface Broken extends Guard
{
    public function implementation(): Implementation;

    /** The smallest scenario in which the missing guard shows. */
    public function scenario(): Scenario;

    /** What goes wrong in the end. Other violations may come before. */
    public function violation(): Violation;
}
