<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Page\Pages;
use Larder\Page\Site;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;

/** @internal */
#[AsCommand('explain', 'Says what a page was made from, why it is not stored, or which pages a change drops')]
final class ExplainCommand extends SiteCommand
{
    protected function configure(): void
    {
        parent::configure();
        $what = 'A URI such as /news/4, or a dependency such as news:4, news?category=net, news or news!';
        $this->addArgument('what', InputArgument::REQUIRED, $what)
            ->setHelp("Examples: <info>larder explain /news/4</info>, <info>larder explain 'news?category=net'</info>");
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $what = self::text($input, 'what');
        $ledger = Pages::of($site)->ledger();

        return str_starts_with($what, '/')
            ? (new PageExplanation($site, $ledger))->of($what)
            : (new DependencyExplanation($ledger))->of($what);
    }
}
