<?php

declare(strict_types=1);

namespace Larder;

/**
 * What a store knows of a key: a value or none, and whether the caller is to make it.
 */
final class Answer
{
    /** For stores written in PHP. */
    public function __construct(
        /** Whether there is a value; a stored null or false is one. */
        public readonly bool $hit = false,
        /** The value, or null. */
        public readonly mixed $value = null,
        /** For cas(); 0 without a value. */
        public readonly int $version = 0,
        /** Whether the value was marked as outdated and may be handed out only while a process makes it anew. */
        public readonly bool $stale = false,
        /**
         * The right to compute the value, for set() or release(). Null: none, or another process has it. 0: it is lost
         * already.
         */
        public readonly ?int $lease = null,
        /** False: no server answered, so nothing is known of the key. True without a hit: it is not there. */
        public readonly bool $answered = true,
    ) {}
}
