<?php

declare(strict_types=1);

namespace Larder\Console\Code;

use Larder\Code\Publisher;
use Larder\Code\SecretKey;
use Larder\Console\CommandAnswer;
use Larder\Console\Refused;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('code:renew', 'Signs the newest release in the pool anew, so that hosts go on taking it')]
final class RenewCommand extends CodeCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->needs('pool', 'name', 'secret')
            ->addOption('valid-for', null, InputOption::VALUE_REQUIRED, 'Hours from now for which hosts take it', '24')
            ->setHelp(
                'For a timer, where releases are pushed with --valid-for: an old one that somebody puts back into the '
                    . "pool ends by itself, also for a host that has never pulled.\n\n"
                    . 'Example: <info>larder code:renew --valid-for=24</info>',
            );
    }

    protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $seconds = self::seconds($input, 'valid-for') ?? throw Refused::because('--valid-for is a number of hours');
        $key = SecretKey::read(self::required($input, 'secret'));
        $release = (new Publisher(self::pool($input), $key, self::required($input, 'name')))->renew($seconds);
        $until = time() + $seconds;

        return new CommandAnswer(
            ['release' => $release, 'until' => $until],
            [\sprintf('%s is signed until %s', $release, gmdate('Y-m-d H:i:s\Z', $until))],
        );
    }
}
