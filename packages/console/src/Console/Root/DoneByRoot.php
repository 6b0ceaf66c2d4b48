<?php

declare(strict_types=1);

namespace Larder\Console\Root;

use Larder\Console\Refused;
use Larder\Exception\LarderException;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal A command whose files may be root's and nginx's alone. Then root does it, without the site. */
interface DoneByRoot extends Described
{
    /** @return string|null the file or directory that it writes to; null: the site has none */
    public function place(Outline $site): ?string;

    /**
     * @throws Refused
     * @throws LarderException
     */
    public function byRoot(Outline $site, InputInterface $input, OutputInterface $output): int;
}
