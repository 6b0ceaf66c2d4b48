<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

/** Texts for a parser. */
interface LogTexts
{
    /** Takes another log. */
    public function next(): void;

    /** @return string|null what the parser does wrong with it */
    public function try(Damage $damage): ?string;

    /** The text that was tried last. */
    public function last(): string;
}
