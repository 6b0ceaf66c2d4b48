<?php

declare(strict_types=1);

namespace Larder\Console\Code;

use Larder\Code\Publisher;
use Larder\Code\SecretKey;
use Larder\Console\CommandAnswer;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('code:push', 'Puts a directory into the pool as the newest release')]
final class PushCommand extends CodeCommand
{
    protected function configure(): void
    {
        parent::configure();
        $id = 'Id of the release: up to 64 letters, digits, - and . [the time and a part of the hash]';
        $exclude = 'What stays out: a path, or a pattern of a path or name; may be given more than once';
        $many = InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY;
        $this->needs('pool', 'name', 'secret')
            ->addArgument('directory', InputArgument::REQUIRED, 'The application, ready to run, with its vendor/')
            ->addOption('release', null, InputOption::VALUE_REQUIRED, $id)
            ->addOption('exclude', null, $many, $exclude, ['.git'])
            ->addOption('include', null, $many, 'The same, of files that look like passwords, private keys or dumps '
                . 'and are none')
            ->addOption('valid-for', null, InputOption::VALUE_REQUIRED, 'Hours after which no host takes the release, '
                . 'unless code:renew signs it anew [without end]')
            ->setHelp(
                "Sends only what the pool does not have.\n\nExample: <info>larder code:push build --pool=cache1:11211 "
                    . '--name=shop --secret=~/.larder-code</info>',
            );
    }

    protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $name = self::required($input, 'name');
        $key = SecretKey::read(self::required($input, 'secret'));
        $patterns = static function (string $option) use ($input): array {
            $given = $input->getOption($option);

            return array_values(array_filter(\is_array($given) ? $given : [], \is_string(...)));
        };
        $release = self::text($input, 'release');
        $pool = self::pool($input);
        $pushed = (new Publisher($pool, $key, $name))->push(
            self::text($input, 'directory'),
            $release === '' ? null : $release,
            $patterns('exclude'),
            (new Progress($errors))->tell(...),
            $patterns('include'),
            self::seconds($input, 'valid-for'),
        );
        $values = [
            'release' => $pushed->release,
            'number' => $pushed->number,
            'files' => $pushed->files,
            'bytes' => $pushed->bytes,
            'packs' => $pushed->packs,
            'stored' => $pushed->stored,
            'sent' => $pushed->sent,
            'trips' => $pool->trips(),
        ];

        return new CommandAnswer($values, [\sprintf(
            'Release %s of %s, number %d: %d files, %.1f MB, in %d packs; %d items, %.1f MB, were new to the pool',
            $pushed->release,
            $name,
            $pushed->number,
            $pushed->files,
            $pushed->bytes / 1e6,
            $pushed->packs,
            $pushed->stored,
            $pushed->sent / 1e6,
        )]);
    }
}
