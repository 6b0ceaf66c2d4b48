<?php

declare(strict_types=1);

namespace Larder\Dependency\Protocol;

use Larder\Dependency\RegisteredPages;
use Larder\Dependency\TrackedConnection;
use Larder\Exception\PageStoreFailed;
use WeakReference;

/**
 * In place of a page store, where a ledger is of values only. Should it have pages, whatever would forget them fails:
 * nobody here knows where they lie.
 *
 * @internal
 */
final readonly class NoPages implements RegisteredPages
{
    /** What the ledger says instead of a release of the site's code. */
    public const RELEASE = 'values only';

    /** @var WeakReference<TrackedConnection> */
    private WeakReference $connection;

    /** @param TrackedConnection $connection it keeps the ledger, which keeps this */
    public function __construct(TrackedConnection $connection)
    {
        $this->connection = WeakReference::create($connection);
    }

    public function place(): string
    {
        return '';
    }

    public function host(): string
    {
        return '';
    }

    public function at(string $place): self
    {
        return $place === '' ? $this : throw PageStoreFailed::elsewhere();
    }

    public function isThere(): bool
    {
        return false;
    }

    public function endWithHost(): bool
    {
        return true;
    }

    public function belong(string $ledger, int $generation): bool
    {
        return true;
    }

    public function begin(string $ledger, int $generation, string $release, bool $keepsStale = false): void {}

    public function drop(array $pages): void
    {
        if ($pages !== []) {
            throw PageStoreFailed::elsewhere();
        }
    }

    public function outdate(array $pages): void
    {
        $this->drop($pages);
    }

    public function clear(): void
    {
        $connection = $this->connection->get();
        if ($connection !== null && !SqlIndex::isNone($connection)) {
            throw PageStoreFailed::elsewhere();
        }
    }

    public function sweep(int $most): void {}
}
