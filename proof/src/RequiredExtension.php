<?php

declare(strict_types=1);

namespace Larder\Proof;

/** The PHP that a program needs. It restarts itself where the present one lacks the extension. */
enum RequiredExtension
{
    case None;
    case Loaded;
    /** Without php.ini and without other extensions, so that it forks several times as fast. */
    case LoadedAlone;
}
