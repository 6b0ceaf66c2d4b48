<?php

declare(strict_types=1);

namespace Larder\Proof\Demo\Crowd;

/** How a visitor's page asks for its lists. */
enum Way: string
{
    /** A get and, if there is nothing, a set. */
    case Plain = 'get/set';
    /** Cache::remember(), where there is an old value. */
    case Remember = 'remember()';
    /** The same where there is none. */
    case Cold = 'remember(), nothing there';
}
