<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Exception\UnknownName;
use Larder\Page\Exception\InvalidSite;
use Larder\Sql\Exception\InvalidRegistry;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Tracker\SchemaDrift;
use Larder\Sql\Tracker\TrackedConnection;

/**
 * Makes a release of the code that is here.
 *
 * @internal for Pages
 */
final readonly class Deployment
{
    public function __construct(private Site $site, private SiteWiring $wired) {}

    /**
     * @param string|null                  $id      null: the time and a random end
     * @param Release|null                 $former  that is deployed now
     * @param Closure(): TrackedConnection $connect
     * @param bool                         $takes   also if the pages lie on another host
     * @param (Closure(string): void)|null $write   writes the list; null: this process does
     *
     * @throws InvalidSite
     * @throws UnknownName
     * @throws InvalidRegistry
     * @throws LedgerUnavailable
     */
    public function make(?string $id, ?Release $former, Closure $connect, bool $takes, ?Closure $write): Release
    {
        if ($id !== null && $id === $former?->id) {
            throw InvalidSite::because(
                \sprintf(
                    'release "%s" is deployed already: a process with its old code could store pages as this one',
                    $id,
                ),
            );
        }
        $connection = $connect();
        $release = Release::compile(
            $this->site,
            $id ?? gmdate('Ymd-His') . '-' . bin2hex(random_bytes(4)),
            $connection->registry(),
        );
        (new SchemaDrift($connection))->refuse();
        $this->wired->ledger($connection, $release->id)->deploy($takes);
        $release->save($this->site->list, $write);

        return $release;
    }
}
