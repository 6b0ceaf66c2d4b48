<?php

declare(strict_types=1);

namespace Larder\Console\Code;

use Symfony\Component\Console\Output\OutputInterface;

/** @internal Tells once a second how far work is that takes more than a second. */
final class Progress
{
    private const WORDS = [
        'pack' => 'files packed',
        'send' => 'packs sent',
        'fetch' => 'packs fetched',
        'lay' => 'files laid down',
        'warm' => 'files compiled',
    ];

    private float $said;

    public function __construct(private readonly OutputInterface $output)
    {
        $this->said = microtime(true);
    }

    public function tell(string $step, int $done, int $all): void
    {
        if (isset(self::WORDS[$step]) && microtime(true) - $this->said >= 1.0) {
            $this->said = microtime(true);
            $this->output->writeln(\sprintf('%d of %d %s', $done, $all, self::WORDS[$step]));
        }
    }
}
