<?php

declare(strict_types=1);

namespace Larder\Proof;

/** A program that tries to break a promise and says how often it succeeded. */
interface Torture
{
    public function name(): string;

    /** One sentence for the list of programs. */
    public function description(): string;

    /** What is done, and what counts as broken. */
    public function help(): string;

    /** @return list<Option> beside --format */
    public function options(): array;

    /** Whether the program itself runs in a PHP that has the extension; its workers may have it all the same. */
    public function requiredExtension(): RequiredExtension;

    public function run(Run $run): Result;
}
