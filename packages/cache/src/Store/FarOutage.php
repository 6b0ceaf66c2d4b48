<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Metrics\Counters;
use Larder\Metrics\SparingLogger;
use Larder\Outcome;
use Larder\Store;
use Psr\Log\LoggerInterface;

/**
 * Reports that a far store does not answer: every such call is counted, and one a second is logged by all processes
 * together that share the near store.
 *
 * @internal
 */
final class FarOutage
{
    /** If the application uses this key too, more lines are logged. */
    private const MARK = "\0larder.silence";
    private const SECONDS = 1.0;

    /** When this process last logged; monotonic nanoseconds. */
    private int $logged = 0;

    public function __construct(
        private readonly Store $near,
        private readonly ?LoggerInterface $log,
        private readonly Counters $counters,
    ) {}

    public function report(): void
    {
        $this->counters->add('larder_store_failures_total', labels: ['store' => 'tiered', 'cause' => 'unanswered']);
        $now = hrtime(true);
        if ($this->logged > 0 && $now - $this->logged < 1e9 * self::SECONDS) {
            return;
        }
        $this->logged = $now;
        if ($this->near->add(self::MARK, true, self::SECONDS) !== Outcome::Exists) {
            ($this->log ?? new SparingLogger())->warning(
                'The far store of a tiered store does not answer: what it keeps is missed until it does.',
            );
        }
    }
}
