<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Follow\Followed;
use Larder\Follow\Queries;

/** @internal Looks at PostgreSQL's logical decoding and the follower's slot. */
final readonly class LogicalSlotChecks
{
    /** Bytes that a slot may hold back without a remark. */
    private const MUCH = 1 << 30;

    private const RIGHTS = 'SELECT 1 FROM pg_roles WHERE rolname = current_user AND (rolreplication OR rolsuper)';

    private const SLOT = <<<'SQL'
        SELECT plugin, coalesce(wal_status, ''), pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint
        FROM pg_replication_slots WHERE slot_name = ?
        SQL;

    private const FREE = <<<'SQL'
        SELECT current_setting('max_replication_slots')::int - count(*)::int FROM pg_replication_slots
        SQL;

    private const PARTIAL = <<<'SQL'
        SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND c.relkind = 'r' AND c.relpersistence = 'p'
            AND c.relreplident <> 'f' AND c.relname !~ '^larder_' ORDER BY 1 LIMIT 20
        SQL;

    public function __construct(
        private Queries $queries,
        private Followed $followed,
    ) {}

    /** @return list<Check> */
    public function checks(): array
    {
        $decodes = 'the log can be decoded';
        $level = $this->queries->texts('SHOW wal_level')[0] ?? '';
        if ($level !== 'logical') {
            return [Check::failed($decodes, "wal_level is $level: set wal_level = logical, and restart the server")];
        }

        return [
            Check::ok($decodes),
            Check::that(
                'the account of the ledger may read the log',
                $this->queries->rows(self::RIGHTS) !== [],
                'ALTER ROLE … REPLICATION for it',
            ),
            ...$this->ofSlot(),
            $this->ofRows(),
        ];
    }

    /** @return list<Check> */
    private function ofSlot(): array
    {
        $name = 'larder_' . $this->followed->name;
        $has = "the follower's slot has what it needs";
        $row = $this->queries->rows(self::SLOT, [$name])[0] ?? null;
        if ($row === null) {
            $free = (int) ($this->queries->texts(self::FREE)[0] ?? '0');

            return [$free > 0
                ? Check::remark($has, "there is no slot \"$name\" so far: the follower makes it, and ends everything")
                : Check::failed($has, "there is no slot \"$name\", and none is free: raise max_replication_slots")];
        }
        [$plugin, $status, $bytes] = $row;
        $megabytes = intdiv((int) $bytes, 1 << 20);

        return [
            match (true) {
                $plugin !== 'test_decoding' => Check::failed($has, "\"$name\" is of the plugin $plugin: drop it"),
                $status === 'lost' => Check::failed($has, "the log of \"$name\" is gone: drop it by "
                    . "SELECT pg_drop_replication_slot('$name'), and the follower makes it anew and ends everything"),
                $status === 'unreserved' => Check::failed($has, 'the server is about to lose it: let the follower run, '
                    . 'or raise max_slot_wal_keep_size'),
                default => Check::ok($has),
            },
            $this->retained($megabytes),
        ];
    }

    private function retained(int $megabytes): Check
    {
        $limit = $this->queries->texts('SHOW max_slot_wal_keep_size')[0] ?? '-1';
        $name = 'the slot does not fill the disk';

        return match (true) {
            $megabytes >= self::MUCH >> 20 => Check::remark($name, "it holds back $megabytes MB of the log: let the "
                . 'follower run, or drop the slot of one that is gone'),
            $limit === '-1' => Check::remark($name, "it holds back $megabytes MB, and nothing bounds it while no "
                . 'follower runs: set max_slot_wal_keep_size. A slot that is lost ends everything once'),
            default => Check::ok($name, "it holds back $megabytes MB, at most $limit"),
        };
    }

    private function ofRows(): Check
    {
        $name = 'the log has whole rows';
        $partial = $this->queries->texts(self::PARTIAL);

        return $partial === [] ? Check::ok($name) : Check::remark($name, \sprintf(
            'not of %s, so that such tables end as a whole: ALTER TABLE … REPLICA IDENTITY FULL',
            implode(', ', $partial),
        ));
    }
}
