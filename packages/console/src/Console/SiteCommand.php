<?php

declare(strict_types=1);

namespace Larder\Console;

use Error;
use Larder\Exception\LarderException;
use Larder\Page\Exception\InvalidSite;
use Larder\Page\Site;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal A command on one site, which it loads first. */
abstract class SiteCommand extends AnsweringCommand
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
        parent::configure();
    }

    protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer|int
    {
        return $this->answer($this->site($input), $input);
    }

    /**
     * @return CommandAnswer|int the exit code, if all is said
     *
     * @throws Refused if what is asked for is not possible
     * @throws LarderException
     */
    abstract protected function answer(Site $site, InputInterface $input): CommandAnswer|int;

    private function site(InputInterface $input): Site
    {
        $file = self::text($input, 'site');
        if (!is_file($file)) {
            throw Refused::because(
                "There is no file \"$file\". Name the PHP file that returns the site by --site or LARDER_SITE",
            );
        }
        try {
            $site = (static fn(string $path): mixed => require $path)((string) realpath($file));
        } catch (Error $error) {
            throw InvalidSite::because(
                \sprintf('%s, in %s:%d', $error->getMessage(), $error->getFile(), $error->getLine()),
            );
        }

        return $site instanceof Site
            ? $site
            : throw InvalidSite::because(
                \sprintf('%s returns %s, not a %s', $file, get_debug_type($site), Site::class),
            );
    }
}
