<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

/** @internal How a driver takes several statements in one text, and so in one trip. */
enum Several
{
    /** It takes one at a time. */
    case Never;

    /** Also with parameters, and it tells the rows of each. */
    case WithAllRows;

    /** Without parameters, and it tells the rows of the last one: see OneText. */
    case WithLastRows;
}
