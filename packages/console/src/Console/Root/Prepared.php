<?php

declare(strict_types=1);

namespace Larder\Console\Root;

use Larder\Console\Refused;
use Symfony\Component\Console\Input\InputInterface;

/** @internal A command before which root makes what nobody else could. */
interface Prepared extends Described
{
    /** @throws Refused */
    public function prepare(Outline $site, InputInterface $input): void;
}
