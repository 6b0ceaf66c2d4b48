<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Process\Findings;

/** Asks php-fpm for one page after the other; some are to end in the middle of their work. */
final readonly class Visitor
{
    /** One of so many runs out of memory, one out of time; the latter takes seconds. */
    private const MEMORY = 4;
    private const TIME = 300;

    public function __construct(
        private FastCgi $server,
        private Notes $notes,
        private int $seat,
        private Findings $findings,
    ) {}

    public function ask(): void
    {
        $ends = mt_rand(1, self::TIME) === 1 ? 'time' : (mt_rand(1, self::MEMORY) === 1 ? 'memory' : '');
        $body = $this->server->get('seed=' . mt_rand() . '&ends=' . $ends);
        $this->notes->noteSeat($this->seat, Note::Began, 0);
        if ($body === null && $ends !== '') {
            $this->notes->add($this->seat, Note::Aborts);
        } elseif ($body !== 'whole') {
            $this->findings->add('php-fpm gave no whole answer: ' . ($body ?? 'none'));
        }
    }
}
