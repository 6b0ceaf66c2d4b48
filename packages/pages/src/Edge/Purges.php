<?php

declare(strict_types=1);

namespace Larder\Edge;

use Closure;
use Larder\Edge\Exception\EdgeFailed;
use Larder\Metrics\Counters;
use Larder\Sql\Ledger\AnnouncedChange;
use Psr\Log\LoggerInterface;
use Throwable;

/**
 * The purges of one site. After COMMIT a change purges what it has ended. A failed purge breaks nothing: it is logged,
 * counted, and done with the next one or by `larder purge`; until then the edge serves old pages, at longest for their
 * ttl there.
 *
 * @internal
 */
final readonly class Purges
{
    public const SERIES = 'larder_edge_purges_total';

    /** @param Closure(): Counters $counters opened at the first purge */
    public function __construct(
        private Edge $edge,
        private EdgeKeys $keys,
        private UnfinishedPurges $unfinished,
        private Closure $counters,
        private LoggerInterface $logger,
    ) {}

    /** Whether some have failed on this host, so that the edge may have old pages. */
    public function areUnfinished(): bool
    {
        return $this->unfinished->areThere();
    }

    /** @return Closure(): void purges, after COMMIT */
    public function announced(AnnouncedChange $change): Closure
    {
        $keys = $this->keys->ofChange($change);

        return function () use ($keys): void {
            try {
                $this->purge($keys);
            } catch (EdgeFailed) {
                // It is logged, and a change that is committed cannot fail.
                return;
            }
        };
    }

    /**
     * Purges keys, and what was not purged before.
     *
     * @param list<string> $keys
     *
     * @return int the number of keys
     *
     * @throws EdgeFailed
     */
    public function purge(array $keys): int
    {
        $all = array_values(array_unique([...$keys, ...$this->unfinished->take([$this->keys->site()])]));
        if ($all === []) {
            return 0;
        }
        try {
            $this->edge->purge($all);
            $this->count('done');

            return \count($all);
        } catch (Throwable $failure) {
            $isNoted = $this->unfinished->note($all);
            $this->count('failed');
            $this->logger->error(
                'The edge did not drop {keys} keys: {reason}.{lost}',
                [
                    'keys' => \count($all),
                    'reason' => $failure->getMessage(),
                    'lost' => $isNoted ? '' : ' They could not be noted either: run larder purge --all.',
                    'exception' => $failure,
                    'cause' => 'purge ' . preg_replace('/\d+/', '', $failure->getMessage()),
                ],
            );
            throw $failure instanceof EdgeFailed ? $failure : EdgeFailed::by($failure);
        }
    }

    private function count(string $result): void
    {
        ($this->counters)()->add(self::SERIES, labels: ['result' => $result]);
    }
}
