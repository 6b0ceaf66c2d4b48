<?php

declare(strict_types=1);

namespace Larder\Proof\Code;

/** What readers counted. */
enum Count
{
    case Requests;
    /** Answers made of files of two releases. */
    case Mixes;
    /** No answer, another status than 200, or a body that no release gives. */
    case Errors;
    /** The highest release that was seen. */
    case Highest;
}
