<?php

declare(strict_types=1);

namespace Larder\Page;

/** For whom a part of a page is made. */
enum PartKind
{
    /** Kept once, for all visitors. It is made without anything of a visitor. */
    case ForAll;

    /** Kept once for each context that nginx finds in a visitor's signed cookie. */
    case ByContext;

    /** Made for each request, with the visitor's cookies, and never kept. */
    case Private;
}
