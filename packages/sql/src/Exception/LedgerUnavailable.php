<?php

declare(strict_types=1);

namespace Larder\Sql\Exception;

use Larder\Exception\LarderException;
use RuntimeException;
use Throwable;

/**
 * The ledger could not be read or written. A reader goes on without the cache; a writer's transaction was rolled back.
 */
final class LedgerUnavailable extends RuntimeException implements LarderException
{
    /** The code of an exception that says that a gate is closed. */
    private const GATED = 1;

    /** @internal Whether a gate is closed, which its owner opens, or whoever finds that the owner is gone. */
    public function isGated(): bool
    {
        return $this->code === self::GATED;
    }

    /** @internal What the account of the database may not use, as its server writes it; null: that is not why. */
    public static function denied(Throwable $cause): ?string
    {
        $pattern = '/(?:command denied .* for|permission denied for) (?:table |(?=sequence|schema))(?<what>[^\n]+)/';

        return preg_match($pattern, $cause->getMessage(), $found) === 1 ? rtrim($found['what'], '. ') : null;
    }

    /** @param string $account as GRANT has it */
    public static function during(string $step, Throwable $cause, string $account = 'its account'): self
    {
        $denied = self::denied($cause);
        $remedy = match (true) {
            str_contains($cause->getMessage(), 'readonly database')
                => '. Run it as the user who owns the database file and its directory',
            $denied !== null => '. ' . self::grant($denied, $account) . '; larder doctor says what else it needs',
            default => '',
        };

        return new self(\sprintf('The ledger failed while %s: %s%s', $step, $cause->getMessage(), $remedy), 0, $cause);
    }

    /**
     * @internal
     *
     * @param string $what    a table, or with the word before it a sequence or a schema
     * @param string $account as GRANT has it
     */
    public static function grant(string $what, string $account): string
    {
        $rights = preg_match('/^(?:sequence|schema) /', $what) === 1 ? 'USAGE' : 'SELECT, INSERT, UPDATE, DELETE';

        return \sprintf('GRANT %s ON %s TO %s', $rights, $what, $account);
    }

    public static function otherSlots(int $ledger, int $process): self
    {
        return new self(
            \sprintf(
                'The ledger was made with %d version slots and this process counts on %d. Both must be equal.',
                $ledger,
                $process,
            ),
        );
    }

    public static function otherRegistry(): self
    {
        return new self('The ledger was deployed with another registry than this process has.');
    }

    public static function notInstalled(): self
    {
        return new self(
            'The ledger has no tables, or not all of its rows, in this database. `larder deploy` creates them.',
        );
    }

    /** @param string $account as MariaDB writes it in GRANT */
    public static function noAnswers(string $database, string $account, Throwable $cause): self
    {
        return new self(\sprintf(
            'The account of the database may make no temporary tables, without which insert_id and affected_rows would '
                . 'not be those of the statement, so it has not run: %s. GRANT CREATE TEMPORARY TABLES ON `%s`.* TO %s',
            $cause->getMessage(),
            $database,
            $account,
        ), 0, $cause);
    }

    public static function gated(): self
    {
        return new self(
            'A statement that commits by itself runs in this database, so nothing is stored meanwhile.',
            self::GATED,
        );
    }

    public static function unknownTo(string $tables): self
    {
        return new self(\sprintf(
            'The database has pages that may be made from %s, and this connection does not know where they are, so it '
                . 'cannot write there: open it by Pages::of($site)->connect(), or let Pages::of($site)->follow() know '
                . 'it first.',
            $tables,
        ));
    }

    public static function rowsNotEnded(string $why): self
    {
        return new self(\sprintf(
            'The rows that change could not be ended in their store, so the change was rolled back: %s.',
            $why,
        ));
    }
}
