<?php

declare(strict_types=1);

namespace Larder\Console\Code;

use Larder\Console\CommandAnswer;
use Larder\Console\Refused;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('code:warm', 'Lets php-fpm compile a release before anybody asks for it')]
final class WarmCommand extends CodeCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->needs('root', 'php')
            ->addOption('release', null, InputOption::VALUE_REQUIRED, 'Its id [the newest that was pulled]')
            ->setHelp(
                'Asks php-fpm at its socket to compile each .php file of the release into OPcache, at the path at '
                    . "which it will be served. Files that only declare classes are included too, so that no visitor's"
                    . " request has to link them. Run it between code:pull and code:switch.\n\n"
                    . 'Example: <info>larder code:warm --root=/srv/shop --php=/run/php/php8.2-fpm.sock</info>',
            );
    }

    protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $releases = self::releases($input);
        $release = self::text($input, 'release');
        $release = $release === '' ? $releases->state()->release : $release;
        if (!$releases->has($release)) {
            throw Refused::because(\sprintf(
                'There is no release "%s" in %s. There are: %s',
                $release,
                $releases->directory,
                implode(', ', $releases->all()),
            ));
        }
        $warmed = Warming::of($releases, $release, self::required($input, 'php'))
            ->run((new Progress($errors))->tell(...));
        $lines = [\sprintf(
            '%d files of %s are compiled, and the classes of %d linked, in %d requests',
            $warmed->compiled,
            $release,
            $warmed->linked,
            $warmed->requests,
        )];
        foreach ($warmed->failed as $path => $reason) {
            $lines[] = "$path was not compiled: $reason";
        }
        if ($warmed->remedy !== null) {
            $lines[] = $warmed->remedy;
        }

        return new CommandAnswer(
            [
                'release' => $release,
                'compiled' => $warmed->compiled,
                'linked' => $warmed->linked,
                'requests' => $warmed->requests,
                'failed' => $warmed->failed,
                'remedy' => $warmed->remedy,
            ],
            $lines,
            $warmed->remedy === null ? self::SUCCESS : self::FAILURE,
        );
    }
}
