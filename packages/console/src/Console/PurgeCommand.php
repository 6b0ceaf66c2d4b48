<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Edge\EdgeKeys;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Sql\Ledger\AnnouncedChange;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** @internal */
#[AsCommand('purge', 'Drops pages at the edge: Varnish or a CDN')]
final class PurgeCommand extends SiteCommand
{
    protected function configure(): void
    {
        parent::configure();
        $of = 'Pages, which begin with a slash, or names of data: /news/4 news:4 news?category=5 news';
        $this->addArgument('of', InputArgument::IS_ARRAY, $of)
            ->addOption('all', null, InputOption::VALUE_NONE, 'All pages of the site')
            ->setHelp(
                'Without a page or name it does the purges that have failed on this host. The pages of this host stay: '
                . "larder flush removes them, and purges all.\n\n"
                . 'Example: <info>larder purge</info>, <info>larder purge /news/4</info>, '
                . '<info>larder purge --all</info>',
            );
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $purges = Pages::of($site)->purges();
        if ($purges === null) {
            throw Refused::because('The site has no edge. Name it as Serving::$edge');
        }
        $of = $input->getArgument('of');
        $given = array_values(array_filter(\is_array($of) ? $of : [], is_string(...)));
        $isPage = static fn(string $text): bool => str_starts_with($text, '/');
        $pages = array_values(array_filter($given, $isPage));
        $texts = array_values(array_diff($given, $pages));
        $names = [];
        if ($texts !== []) {
            $registry = Pages::of($site)->connect()->registry();
            $names = array_map($registry->name(...), $texts);
        }
        $keys = new EdgeKeys($site->name);
        $isAll = $input->getOption('all') === true;
        $purged = $purges->purge(match (true) {
            $isAll => [$keys->site()],
            $given === [] => [],
            default => $keys->ofChange(new AnnouncedChange($names, $pages)),
        });

        return new CommandAnswer(
            ['keys' => $purged],
            [$purged === 0 ? 'Nothing was left to purge.' : \sprintf('%d keys purged.', $purged)],
        );
    }
}
