<?php

declare(strict_types=1);

namespace Larder\Proof;

/** A program whose workers run in a PHP of their own, started by "torture workers". */
interface HasWorkers extends Torture
{
    /** @param list<string> $arguments those that the program gave when it started them */
    public function work(Plan $plan, array $arguments): void;
}
