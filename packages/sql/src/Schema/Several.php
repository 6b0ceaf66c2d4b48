<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

/** @internal How a driver takes several statements in one text, and so in one trip; null: it takes one. */
enum Several
{
    /** Also with parameters, and it tells the rows of each. */
    case WithAllRows;

    /** Without parameters, and it tells the rows of the last one: see OneText. */
    case WithLastRows;
}
