<?php

declare(strict_types=1);

namespace Larder\Console;

use Symfony\Component\Console\Attribute\AsCommand;

/** @internal */
#[AsCommand('contexts:secret', 'Makes the secret that contexts are signed with, or the next one')]
final class ContextsSecretCommand extends ContextsCommand
{
    public function __construct()
    {
        parent::__construct(true);
    }

    protected function configure(): void
    {
        parent::configure();
        $this->setHelp(
            "Run it as root before nginx starts, and then from time to time. The secret before goes on being accepted, "
            . "older ones do not: let as much time pass between two calls as a cookie lives.\n\n"
            . 'Example: <info>larder contexts:secret --group=www-data --reload="systemctl reload nginx"</info>',
        );
    }

    protected function said(array $accepted): string
    {
        return \count($accepted) === 1
            ? 'It is the only one that is accepted.'
            : \sprintf('Cookies of version %d are accepted too.', $accepted[1]);
    }
}
