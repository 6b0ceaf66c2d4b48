<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Metrics\Printable;
use Larder\Page\Flush;
use Larder\Page\Pages;
use Larder\Page\Site;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;

/** @internal */
#[AsCommand('flush', 'Removes all pages, or those that a page or a name of data stands for')]
final class FlushCommand extends SiteCommand
{
    protected function configure(): void
    {
        parent::configure();
        $what = 'A URI such as /news/4, or a dependency such as news:4; none: all pages';
        $this->addArgument('what', InputArgument::OPTIONAL, $what)->setHelp(
            "For changes that were not announced: by a SQL console, another program, a restored database.\n\n"
            . "A page ends by the name of its data that the fewest pages have. They all end.\n\n"
            . 'Examples: <info>larder flush</info>, <info>larder flush /news/4</info>, '
            . '<info>larder flush news:4</info>',
        );
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $ledger = Pages::of($site)->ledger();
        $what = $input->getArgument('what');
        if (\is_string($what) && $what !== '') {
            $flush = new Flush($ledger);
            $ended = str_starts_with($what, '/') ? $flush->page($what) : $flush->name($what);

            return $ended === null
                ? throw Refused::because("$what is not stored, or no change ends it: larder explain $what says more")
                : self::told($ended);
        }
        $pages = $ledger->index()->count()['pages'];
        $ledger->flush();

        return new CommandAnswer(['pages' => $pages], [\sprintf('%d pages removed.', $pages)]);
    }

    /** @param array{name: string, pages: list<string>, unknown?: string} $ended */
    private static function told(array $ended): CommandAnswer
    {
        $unknown = $ended['unknown'] ?? null;

        return new CommandAnswer(
            [
                'name' => $ended['name'],
                'pages' => \count($ended['pages']),
                'removed' => $ended['pages'],
                'unknown' => $unknown,
            ],
            array_map(Printable::line(...), [
                \sprintf('%d pages removed, made from %s.', \count($ended['pages']), $ended['name']),
                ...$ended['pages'],
                ...($unknown === null ? [] : ["It is unknown: $unknown"]),
            ]),
        );
    }
}
