<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Larder\Sql\Exception\PageStoreFailed;
use Larder\Sql\Schema\Connection;
use Larder\Sql\Tracker\TrackedDatabase;

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

    public function __construct(private TrackedDatabase $database) {}

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
        // On the application's connection further results of its statement may wait, which another one would lose.
        $connection = $this->database->dialect()->choose(
            fn(): Connection => $this->database->own,
            fn(): Connection => $this->database->second(),
        );
        if (!SqlIndex::isNone($connection)) {
            throw PageStoreFailed::elsewhere();
        }
    }

    public function sweep(int $most): void {}
}
