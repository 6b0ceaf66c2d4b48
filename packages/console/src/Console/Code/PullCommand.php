<?php

declare(strict_types=1);

namespace Larder\Console\Code;

use Larder\Code\Puller;
use Larder\Console\CommandAnswer;
use Larder\Console\Refused;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('code:pull', 'Lays the newest release down on this host, beside the one that is served')]
final class PullCommand extends CodeCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->needs('pool', 'name', 'key', 'root', 'at-least')->setHelp(
            "Fetches what is missing, and verifies it. What is served stays: see code:warm and code:switch.\n\n"
                . 'Example: <info>larder code:pull --pool=cache1:11211 --name=shop --key=/etc/larder/code.pub '
                . '--root=/srv/shop</info>',
        );
    }

    protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $releases = self::releases($input);
        $atLeast = self::given($input, 'at-least') ?? '0';
        if (preg_match('/^\d{1,18}$/D', $atLeast) !== 1) {
            throw Refused::because("--at-least is the number of a release, as code:push tells it, not \"$atLeast\"");
        }
        $puller = new Puller(
            self::pool($input),
            self::key($input),
            self::required($input, 'name'),
            $releases,
            (int) $atLeast,
        );
        $pulled = $puller->pull((new Progress($errors))->tell(...));
        $path = $releases->path($pulled->release);
        $values = [
            'release' => $pulled->release,
            'path' => $path,
            'new' => $pulled->isNew,
            'packs' => $pulled->packs,
            'bytes' => $pulled->bytes,
            'trips' => $pulled->trips,
        ];

        return new CommandAnswer($values, [$pulled->isNew
            ? \sprintf(
                '%s is whole and verified; %d packs, %.1f MB, were fetched in %d round trips',
                $path,
                $pulled->packs,
                $pulled->bytes / 1e6,
                $pulled->trips,
            )
            : "$path is the newest release, and was here"]);
    }
}
