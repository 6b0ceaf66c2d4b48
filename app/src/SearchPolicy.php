<?php

declare(strict_types=1);

namespace App;

use App\Controller\SearchLive;
use App\Controller\SearchPage;
use App\Controller\SearchTimed;
use App\Http\Controller;

/** What is kept of a search: how current it is, against what it costs. */
enum SearchPolicy: string
{
    /** Nothing: PHP and the database are asked each time. */
    case None = 'none';
    /** The ids; PHP takes the current rows by one call. */
    case Ids = 'ids';
    /** The page, for some seconds, whatever changes. */
    case Ttl = 'ttl';
    /** The page, until something changes that it was made from. */
    case Exact = 'exact';

    /** @return class-string<Controller> */
    public function controller(): string
    {
        return match ($this) {
            self::None, self::Ids => SearchLive::class,
            self::Ttl => SearchTimed::class,
            self::Exact => SearchPage::class,
        };
    }

    public function keepsPages(): bool
    {
        return $this === self::Ttl || $this === self::Exact;
    }
}
