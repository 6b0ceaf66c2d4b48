<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Page\Site;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;

#[AsCommand('doctor', 'Checks that everything page caching needs is in place')]
final class DoctorCommand extends SiteCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->setHelp("Exit code 1 if a check fails; a remark alone does not.\n\nExample: <info>larder doctor</info>");
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $checks = (new Examination($site))->checks();
        $failed = array_filter($checks, static fn(array $check): bool => $check['state'] === 'failed');
        $lines = array_map(
            static fn(array $check): string => \sprintf('%-6s  %s', $check['state'], $check['check'])
                . ($check['remedy'] === null ? '' : ': ' . $check['remedy']),
            $checks,
        );

        $code = $failed === [] ? self::SUCCESS : self::FAILURE;

        return new CommandAnswer(['healthy' => $failed === [], 'checks' => $checks], $lines, $code);
    }
}
