<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Dependency\SqlLedger;
use Larder\Exception\LarderException;
use Larder\Exception\LedgerUnavailable;
use PDOException;

/**
 * The pages that a ledger knows, as numbers.
 *
 * @internal
 */
final readonly class PageGauges
{
    /**
     * @return array<string, int> by series
     *
     * @throws LedgerUnavailable
     */
    public static function of(SqlLedger $ledger, Limits $limits): array
    {
        return [
            'larder_pages' => $ledger->index()->count()['pages'],
            'larder_page_bytes' => array_sum($ledger->index()->bytes()),
            'larder_page_bytes_limit' => $limits->bytes,
        ];
    }

    /**
     * @param Closure(): SqlLedger $open
     *
     * @return array<string, int> by series; of a ledger that cannot be read only that it is down
     */
    public static function orDown(Closure $open, Limits $limits): array
    {
        try {
            return ['larder_ledger_up' => 1] + self::of($open(), $limits);
        } catch (LarderException|PDOException) {
            return ['larder_ledger_up' => 0];
        }
    }
}
