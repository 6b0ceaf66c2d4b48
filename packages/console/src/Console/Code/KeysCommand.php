<?php

declare(strict_types=1);

namespace Larder\Console\Code;

use Larder\Code\SecretKey;
use Larder\Console\AnsweringCommand;
use Larder\Console\CommandAnswer;
use Larder\Console\Refused;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('code:keys', 'Makes the pair of keys that releases are signed and verified by')]
final class KeysCommand extends AnsweringCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->addArgument('file', InputArgument::OPTIONAL, 'The secret key; the public one is FILE.pub', 'larder-code')
            ->setHelp(
                "The secret key stays where releases are pushed from. The public key goes to every host.\n\n"
                    . 'Example: <info>larder code:keys ~/.larder-code</info>',
            );
    }

    protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $secret = self::text($input, 'file');
        $public = $secret . '.pub';
        foreach ([$secret, $public] as $file) {
            if (file_exists($file)) {
                throw Refused::because("$file is there already. Keys are not replaced: hosts trust the old one");
            }
        }
        $key = SecretKey::make();
        $former = umask(0o077);
        $isWritten = @file_put_contents($secret, $key->text()) !== false;
        umask($former);
        if (!$isWritten || @file_put_contents($public, $key->public()->text()) === false) {
            throw Refused::because("The keys cannot be written to $secret and $public");
        }

        return new CommandAnswer(
            ['secret' => $secret, 'public' => $public, 'key' => $key->public()->shown()],
            ["$secret signs: keep it where you push from, and back it up", "$public verifies: copy it to every host"],
        );
    }
}
