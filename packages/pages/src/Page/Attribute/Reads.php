<?php

declare(strict_types=1);

namespace Larder\Page\Attribute;

use Attribute;
use Larder\Page\Exception\InvalidSite;

/**
 * Opts a controller in: its pages may be stored, and these are the tables that they read.
 *
 * That is a bound on both sides. A page that is seen to read another table is not stored. A table that it is not seen
 * to read counts as read whole, since something else may have read it: a second connection, another library, a value
 * from a cache that knows no ledger.
 */
#[Attribute(Attribute::TARGET_CLASS)]
final readonly class Reads
{
    /** @var list<string> */
    public array $tables;

    public bool $trust;

    /**
     * @param string|bool ...$tables names of declared tables; and `trust: true` if all that these pages read is read
     *     through the RecordingPdo or taken from a Cache of Pages::cache(): then only what they are seen to read counts
     *
     * @throws InvalidSite
     */
    public function __construct(string|bool ...$tables)
    {
        $trust = $tables['trust'] ?? false;
        unset($tables['trust']);
        $names = array_filter($tables, is_string(...));
        if (!\is_bool($trust) || !array_is_list($tables) || $names !== $tables) {
            throw InvalidSite::because('#[Reads] takes names of tables, and trust: true or false');
        }
        $this->tables = $names;
        $this->trust = $trust;
    }
}
