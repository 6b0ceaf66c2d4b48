<?php

declare(strict_types=1);

namespace Larder\Console\Root;

use Symfony\Component\Console\Input\InputInterface;

/** @internal A command on what a PHP file describes: a site, or what is followed. Root does not do it itself. */
interface Described
{
    /** @return array{'site'|'follow', string}|null what the file describes, and its path; null: there is none */
    public function described(InputInterface $input): ?array;
}
