<?php

declare(strict_types=1);

namespace Larder\Session;

/** Why a session was not opened, or not written. */
enum Refusal: string
{
    /** The id is not one that PHP makes. Nothing was asked of the store. */
    case BadId = 'bad_id';
    /** Another request had the session for longer than this one may wait. */
    case Busy = 'busy';
    /** The store did not answer, or had no room for a lease. */
    case Unanswered = 'unanswered';
    /** The lease was over, or the session was written or destroyed meanwhile. What is stored now stays as it is. */
    case Late = 'late';
    /** The store is full, the session is too large, or no answer came, and then it may have been stored or not. */
    case Unstored = 'unstored';

    /** For a log. */
    public function sentence(): string
    {
        return match ($this) {
            self::BadId => 'A session was not opened: its id is not 22 to 256 letters, digits, commas or dashes.',
            self::Busy => 'A session was not opened: another request had it for longer than this one may wait.',
            self::Unanswered => 'A session was not opened: the store did not answer, or has no room for a lease.',
            self::Late => 'A session was not written: the request took longer than its lease, or the session was '
                . 'written or destroyed meanwhile.',
            self::Unstored => 'A session was not written: the store is full, the session is too large for it, or no '
                . 'answer came.',
        };
    }
}
