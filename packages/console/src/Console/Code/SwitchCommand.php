<?php

declare(strict_types=1);

namespace Larder\Console\Code;

use Larder\Console\CommandAnswer;
use Larder\Console\Refused;
use Larder\Console\ShellCommand;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('code:switch', 'Serves a release that lies on this host')]
final class SwitchCommand extends CodeCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->needs('root')
            ->addOption('release', null, InputOption::VALUE_REQUIRED, 'Its id [the newest that was pulled]')
            ->setHelp(
                "Moves the link ROOT/current in one step. Requests that run end on the files of before.\n\n"
                    . 'Example: <info>larder code:switch --root=/srv/shop</info>',
            );
    }

    protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $releases = self::releases($input);
        $former = $releases->current();
        $release = self::text($input, 'release');
        if ($release === '') {
            $state = $releases->state();
            $release = $state->release;
            if ($release === '') {
                throw Refused::because("No release was pulled to {$releases->directory}: run larder code:pull");
            }
            if (\in_array($release, $state->withdrawn, true)) {
                throw Refused::because(
                    "The newest release $release was rolled back here. Push another, or name it by --release",
                );
            }
        }
        if ($release !== $former && $releases->has($release)) {
            // After a power loss the link could otherwise lead to files that never reached the disk.
            $failure = ShellCommand::run('sync -f ' . escapeshellarg($releases->path($release)));
            if ($failure !== null) {
                $errors->writeln("The release may not outlive a power loss: $failure");
            }
        }
        $releases->alone(static fn() => $releases->switchTo($release));

        return new CommandAnswer(
            ['release' => $release, 'former' => $former, 'path' => $releases->path($release)],
            [$former === $release
                ? "$release is served already"
                : "$release is served" . ($former === null ? '' : ", after $former")],
        );
    }
}
