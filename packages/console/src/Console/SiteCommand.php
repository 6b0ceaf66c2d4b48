<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Console\Root\Described;
use Larder\Console\Root\RootsProcess;
use Larder\Exception\LarderException;
use Larder\Page\HitLog;
use Larder\Page\Pages;
use Larder\Page\Site;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal A command on one site, which it loads first. */
abstract class SiteCommand extends AnsweringCommand implements Described
{
    protected function configure(): void
    {
        $site = getenv('LARDER_SITE');
        $site = $site === false || $site === '' ? 'larder.php' : $site;
        $this->addOption(
            'site',
            null,
            InputOption::VALUE_REQUIRED,
            'PHP file that returns the site [LARDER_SITE]',
            $site,
        );
        $as = 'User as whom the command works, where root starts it [who has the page directory]';
        $this->addOption('as', null, InputOption::VALUE_REQUIRED, $as);
        parent::configure();
    }

    public function described(InputInterface $input): ?array
    {
        return ['site', self::text($input, 'site')];
    }

    protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer|int
    {
        $site = SiteFile::read(self::text($input, 'site'));
        $hits = RootsProcess::here()?->told('hits');
        if (\is_int($hits) && $hits > 0) {
            HitLog::count($hits, Pages::of($site)->counters());
        }

        return $this->answer($site, $input);
    }

    /**
     * @return CommandAnswer|int the exit code, if all is said
     *
     * @throws Refused if what is asked for is not possible
     * @throws LarderException
     */
    abstract protected function answer(Site $site, InputInterface $input): CommandAnswer|int;
}
