<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

/** What was counted. A pair is one stored read and one write that came after it. */
final class Tally
{
    public int $pairs = 0;

    /** Those of them whose read and write overlapped in time. */
    public int $overlapped = 0;

    /** Pairs whose result changed. */
    public int $changed = 0;

    /** Pairs whose page was dropped. */
    public int $dropped = 0;

    /** Pairs whose page was dropped, though the result is the same. */
    public int $needless = 0;

    /** Reads by one plain equality, each time that one was stored. */
    public int $equalities = 0;

    /** Those of them whose names are narrower than the table. */
    public int $narrow = 0;

    /** Drops of such reads by a change of their table in bulk. */
    public int $bulk = 0;

    /** Drops of such reads with everything else. */
    public int $whole = 0;

    /** Other drops of such reads, of the same result, when no row was touched that is under their names. */
    public int $untouched = 0;

    /** @var list<string> the first of them: the read with its names, and what was written */
    public array $examples = [];

    public int $reads = 0;

    /** Reads that were not stored. */
    public int $refusedReads = 0;

    public int $writes = 0;

    /** Commands that Larder refused. */
    public int $refusedWrites = 0;

    public int $schemas = 0;

    public readonly Causes $causes;

    public readonly Causes $refusals;

    public function __construct()
    {
        $this->causes = new Causes();
        $this->refusals = new Causes();
    }

    /** @return array<string, int|list<string>> */
    public function figures(): array
    {
        return [
            'pairs' => $this->pairs,
            'overlapped' => $this->overlapped,
            'changed' => $this->changed,
            'dropped' => $this->dropped,
            'needlessly_dropped' => $this->needless,
            'equality_reads' => $this->equalities,
            'of_them_narrow' => $this->narrow,
            'dropped_in_bulk' => $this->bulk,
            'dropped_with_everything' => $this->whole,
            'dropped_untouched' => $this->untouched,
            'examples' => $this->examples,
            'reads' => $this->reads,
            'reads_not_stored' => $this->refusedReads,
            'writes' => $this->writes,
            'commands_refused' => $this->refusedWrites,
            'schemas' => $this->schemas,
            'announcements' => $this->causes->written,
            'announced_all_tables' => $this->causes->all,
            'bulk_by_cause' => $this->causes->lines(),
            'reads_not_stored_since' => $this->refusals->lines(),
        ];
    }
}
