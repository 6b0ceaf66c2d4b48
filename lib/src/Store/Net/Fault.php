<?php

declare(strict_types=1);

namespace Larder\Store\Net;

/**
 * Why a server gave no answer.
 *
 * @internal
 */
enum Fault
{
    /** There is no connection; the reason is the system's. */
    case Unreachable;
    case TimedOut;
    case Closed;
    /** It said what is no answer; the reason says what. */
    case Said;
}
