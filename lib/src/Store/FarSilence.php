<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Metrics\Counters;
use Larder\Outcome;
use Larder\Store;
use Psr\Log\LoggerInterface;

/**
 * Tells that a far store does not answer: each call is counted, and one a second is logged, of all processes that share
 * the near store.
 *
 * @internal
 */
final class FarSilence
{
    /** The application may have this key too: then some lines more are logged. */
    private const MARK = "\0larder.silence";
    private const SECONDS = 1.0;

    private int $told = 0;

    public function __construct(
        private readonly Store $near,
        private readonly ?LoggerInterface $log,
        private readonly Counters $counters,
    ) {}

    public function report(): void
    {
        $this->counters->add('tiered_unanswered_total');
        $now = hrtime(true);
        if ($this->log === null || ($this->told > 0 && $now - $this->told < 1e9 * self::SECONDS)) {
            return;
        }
        $this->told = $now;
        if ($this->near->add(self::MARK, true, self::SECONDS) !== Outcome::Exists) {
            $this->log->warning(
                'The far store of a tiered store does not answer: what it keeps is missed until it does.',
            );
        }
    }
}
