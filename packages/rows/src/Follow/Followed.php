<?php

declare(strict_types=1);

namespace Larder\Follow;

use Closure;
use Larder\Follow\Exception\InvalidFollower;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Store;

/**
 * What `larder follow` follows, and what it ends: returned by a file such as `follow.php`.
 *
 *     return new Followed(
 *         ledger: fn() => Pages::of($site)->ledger(),
 *         state: '/var/lib/larder/follow',
 *         rows: [$store],
 *         log: ['--defaults-file=/etc/larder/log.cnf'],
 *     );
 *
 * @internal
 */
final readonly class Followed
{
    /** @var non-empty-string letters, digits, `_` */
    public string $name;

    /**
     * @param Closure(): SqlLedger $ledger   of the database, on a connection that is opened by this call
     * @param string               $state    a directory of this follower alone, where it notes how far it has come
     * @param list<Store>          $rows     in which Larder\Row\Rows keeps rows
     * @param list<Store>          $gates    in which Larder\Dependency\Gates keeps versions of values without a ledger
     * @param string|null          $name     of this follower in the database, which has one for each host or pool;
     *     null: the host's name
     * @param list<string>         $log      MariaDB: options of mariadb-binlog that lead to the server, as the account
     *     that may read its log
     * @param list<string>         $pages    directories of pages on this host, each the Site::$pages of a site that is
     *     followed: these pages are only served while this follower is at work
     *
     * @throws InvalidFollower
     */
    public function __construct(
        public Closure $ledger,
        public string $state,
        public array $rows = [],
        public array $gates = [],
        ?string $name = null,
        public array $log = [],
        public array $pages = [],
        public Settings $settings = new Settings(),
    ) {
        $name ??= (string) preg_replace('/[^a-z0-9_]+/', '_', strtolower((string) gethostname()));
        if (preg_match('/^[a-z0-9_]{1,40}$/D', $name) !== 1) {
            throw InvalidFollower::because("a follower's name has 1 to 40 of a-z, 0-9 and _, not \"$name\"");
        }
        /** @var non-empty-string $name */
        $this->name = $name;
    }
}
