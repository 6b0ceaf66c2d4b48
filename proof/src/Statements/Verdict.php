<?php

declare(strict_types=1);

namespace Larder\Proof\Statements;

/** What one statement gets. */
final readonly class Verdict
{
    /**
     * @param list<string>                $names of what it reads, or changes
     * @param array<string, list<string>> $why   they are not narrower, or nothing is stored: rules, each with the
     *     tables or columns that it is about
     */
    public function __construct(
        public Grade $grade,
        public array $names,
        public array $why = [],
    ) {}
}
