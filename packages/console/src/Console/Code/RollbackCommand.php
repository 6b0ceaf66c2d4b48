<?php

declare(strict_types=1);

namespace Larder\Console\Code;

use Larder\Console\CommandAnswer;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('code:rollback', 'Serves the release again that was served before')]
final class RollbackCommand extends CodeCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->needs('root')->setHelp(
            'The release that is left is switched to again only by its name, so a pull and switch by a timer does not '
                . "bring it back.\n\nExample: <info>larder code:rollback --root=/srv/shop</info>",
        );
    }

    protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $releases = self::releases($input);
        $former = $releases->current();
        $release = $releases->alone($releases->rollBack(...));

        return new CommandAnswer(
            ['release' => $release, 'former' => $former, 'path' => $releases->path($release)],
            ["$release is served again, after $former"],
        );
    }
}
