<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** Everything that processes share of the pages between two steps. */
final readonly class PlaceState
{
    /**
     * @param list<string>                                    $drafts name and content of each
     * @param string                                          $text   all but the drafts and what is served
     * @param array<string, array{bytes: string, mtime: int}> $served by representation, as nginx would: '' and '.gz'.
     *     The generation is the mtime
     * @param array<value-of<Violation>, string>              $wrong  here, explained
     * @param bool                                            $isLeft whether what is served was there before all, and
     *     no ledger knows it
     */
    public function __construct(
        public array $drafts,
        public string $text,
        public array $served,
        public array $wrong = [],
        public bool $isLeft = false,
    ) {}
}
