<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;

/** Asks php-fpm for one page after the other. Some of them are to end in the middle of their work. */
final readonly class PageClient
{
    /** One of this many pages runs out of memory. */
    private const MEMORY = 4;

    /** One of this many runs out of time, which takes seconds. */
    private const TIME = 300;

    public function __construct(
        private FastCgi $server,
        private Board $board,
        private int $worker,
        private Findings $findings,
    ) {}

    public function ask(): void
    {
        $ends = mt_rand(1, self::TIME) === 1 ? 'time' : (mt_rand(1, self::MEMORY) === 1 ? 'memory' : '');
        $body = $this->server->get('seed=' . mt_rand() . '&ends=' . $ends);
        $this->board->set(ClientCount::CallBegan, 0, $this->worker);
        if ($body === null && $ends !== '') {
            $this->board->add(ClientCount::PagesAborted, index: $this->worker);
        } elseif ($body !== 'whole') {
            $this->findings->add('php-fpm gave no whole reply: ' . ($body ?? 'none'));
        }
    }
}
