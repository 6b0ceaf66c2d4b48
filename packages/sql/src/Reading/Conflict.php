<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/** @internal What an INSERT of a server says is done about rows that its own must not stand beside. */
final readonly class Conflict
{
    /** It fails. */
    public const FAIL = 'fail';

    /** Its own row is left out: INSERT IGNORE, DO NOTHING. */
    public const KEEP = 'keep';

    /** They are removed: REPLACE. */
    public const REPLACE = 'replace';

    /** One of them is changed: ON DUPLICATE KEY UPDATE, DO UPDATE. */
    public const UPDATE = 'update';

    /**
     * @param list<string>|null $target columns that it names: only rows with equal ones are in its way; null: any
     * @param list<string>      $given  columns that the row in the way gets as the new one has them
     */
    public function __construct(
        public string $action = self::FAIL,
        public ?array $target = null,
        public array $given = [],
    ) {}
}
