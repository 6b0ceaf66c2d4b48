<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Page\Pages;
use Larder\Page\Site;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;

#[AsCommand('flush', 'Takes every page away')]
final class FlushCommand extends SiteCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->setHelp("For changes that nobody told: a SQL console, another program, a restored database.\n\nExample: <info>larder flush</info>");
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $ledger = Pages::of($site)->ledger(($site->connect)());
        $pages = $ledger->index()->count()['pages'];
        $ledger->flush();

        return new CommandAnswer(['pages' => $pages], [\sprintf('%d pages taken away.', $pages)]);
    }
}
