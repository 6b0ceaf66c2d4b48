<?php

declare(strict_types=1);

namespace Larder\Console\Code;

use Larder\Code\Releases;
use Larder\Console\CommandAnswer;
use Larder\Console\Refused;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('code:prune', 'Removes old releases from this host')]
final class PruneCommand extends CodeCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->needs('root')
            ->addOption('keep', null, InputOption::VALUE_REQUIRED, 'How many releases stay, at least 2', '3')
            ->addOption(
                'running',
                null,
                InputOption::VALUE_REQUIRED,
                'Seconds that a request may run on a release that is no longer served',
                (string) Releases::RUNNING,
            )
            ->setHelp(
                'Of the others, the one that is served stays, the one before it, and those that were served less than '
                    . '--running seconds ago. '
                    . "Packs that no release needs go too.\n\n"
                    . 'Example: <info>larder code:prune --root=/srv/shop --keep=5</info>',
            );
    }

    protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $keep = self::text($input, 'keep');
        if (preg_match('/^\d{1,4}$/D', $keep) !== 1 || (int) $keep < 2) {
            throw Refused::because(
                "--keep is a number from 2 on, since requests may run on the release of before; not \"$keep\"",
            );
        }
        $running = self::text($input, 'running');
        if (preg_match('/^\d{1,6}(\.\d+)?$/D', $running) !== 1) {
            throw Refused::because("--running is a number of seconds, 0 or more; not \"$running\"");
        }
        $releases = self::releases($input);
        $removed = $releases->alone(static fn(): array => $releases->prune((int) $keep, (float) $running));
        $shown = implode(', ', $removed);

        return new CommandAnswer(
            ['removed' => $removed, 'kept' => $releases->all()],
            [$removed === [] ? 'Nothing is to be removed' : "Removed: $shown"],
        );
    }
}
