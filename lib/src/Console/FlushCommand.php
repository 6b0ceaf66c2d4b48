<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Page\Pages;
use Larder\Page\Site;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;

#[AsCommand('flush', 'Removes all pages')]
final class FlushCommand extends SiteCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->setHelp(
            "For changes that were not announced: by a SQL console, another program, a restored database.\n\n"
            . 'Example: <info>larder flush</info>',
        );
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $ledger = Pages::of($site)->ledger(($site->connect)());
        $pages = $ledger->index()->count()['pages'];
        $ledger->flush();

        return new CommandAnswer(['pages' => $pages], [\sprintf('%d pages removed.', $pages)]);
    }
}
