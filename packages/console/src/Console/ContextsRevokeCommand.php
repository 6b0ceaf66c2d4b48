<?php

declare(strict_types=1);

namespace Larder\Console;

use Symfony\Component\Console\Attribute\AsCommand;

/** @internal */
#[AsCommand('contexts:revoke', 'Makes all contexts that were given out worth nothing')]
final class ContextsRevokeCommand extends ContextsCommand
{
    public function __construct()
    {
        parent::__construct(false);
    }

    protected function configure(): void
    {
        parent::configure();
        $this->setHelp(
            'Every visitor is anonymous then, until PHP signs him a new cookie. For a secret that others may know, or '
            . "a context that somebody must lose at once.\n\n"
            . 'Example: <info>larder contexts:revoke --reload="systemctl reload nginx"</info>',
        );
    }

    protected function said(array $accepted): string
    {
        return 'No cookie of before is accepted.';
    }
}
