<?php

declare(strict_types=1);

namespace App;

/** What is kept of a search. What is more current costs more. */
enum SearchPolicy: string
{
    /** Nothing is kept: PHP and the database answer each time. */
    case None = 'none';
    /** The ids are kept; PHP gets the current rows by one call. */
    case Ids = 'ids';
    /** The page is kept for TTL seconds, whatever changes. */
    case Ttl = 'ttl';
    /** The page is kept until something changes that it was made from. */
    case Exact = 'exact';

    public const TTL = 5;

    public function keepsPages(): bool
    {
        return $this === self::Ttl || $this === self::Exact;
    }
}
