<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

/**
 * @internal A session of a mysqli, as the methods of its connection left it. PHP's functions may change it unseen: what
 * depends on it asks the server.
 */
final class MysqliSession
{
    public const QUERY = 'SELECT @@SESSION.in_transaction AS isOpen, @@SESSION.autocommit AS isAuto,'
        . " COALESCE(DATABASE(), '') AS home";

    /** Statements that neither begin nor end a transaction, whether they fail or not, unless one is open. */
    private const STAYS = '~^(?:\s|\(|/\*(?![!M]).*?\*/)*+'
        . '(?:select|insert|update|delete|replace|with|show|explain|savepoint|do'
        . '|set(?!\s+statement\b|.*\bautocommit\b))\b~is';

    /** What leaves the database as it is, beside those. */
    private const ENDS = '/^\s*(?:commit|rollback|release)\b/i';

    private const BEGINS = '/^\s*(?:start\s+transaction|begin(?!\s+not\b))\b/i';

    /** Null: the server has to be asked. */
    private ?bool $isOpen = false;

    /** Whether a statement is a transaction by itself where none is open; null: unknown. */
    private ?bool $autocommit = true;

    /** The database; '': none; null: unknown. */
    private ?string $home = null;

    /** Whether the last answer was that of a session in which nothing is as methods left it. */
    private bool $hasStrayed = false;

    /** Whether only the database was another one then. */
    private bool $isElsewhere = false;

    /** It is another session. */
    public function forget(): void
    {
        $this->isOpen = false;
        $this->autocommit = true;
        $this->home = null;
    }

    /** Null: the server has to be asked. */
    public function isOpen(): ?bool
    {
        return $this->isOpen;
    }

    /** Null: unknown. */
    public function home(): ?string
    {
        return $this->home;
    }

    /** Whether, by the last answer, a transaction is open that no method has begun, or the database is another one. */
    public function hasStrayed(): bool
    {
        return $this->hasStrayed;
    }

    /** Whether a statement is a transaction by itself, as far as methods have set it. */
    public function isAuto(): bool
    {
        return $this->autocommit === true;
    }

    /** Whether, by the last answer, only the database is another one. */
    public function isElsewhere(): bool
    {
        return $this->isElsewhere;
    }

    /** Whether it is known, and also will be after a SELECT. */
    public function isKnown(): bool
    {
        return $this->isOpen !== null && $this->isAuto();
    }

    /** A method has selected a database. */
    public function selected(): void
    {
        $this->home = null;
    }

    /** @param array<string, scalar|null> $row of QUERY */
    public function says(array $row): void
    {
        $isOpen = ($row['isOpen'] ?? 0) === 1;
        $isAuto = ($row['isAuto'] ?? 1) === 1;
        $hasBegun = ($this->isOpen === false && $isOpen) || ($this->isAuto() && !$isAuto);
        $isAway = $this->home !== null && $this->home !== ($row['home'] ?? '');
        $this->hasStrayed = $hasBegun || $isAway;
        $this->isElsewhere = $isAway && !$hasBegun;
        if ($this->isOpen !== false) {
            $this->isOpen = $isOpen;
        }
    }

    /** @param array<string, scalar|null> $row of the dialect's session(), which is asked after what methods have set */
    public function answered(array $row): void
    {
        $this->autocommit = ($row['auto'] ?? 1) !== 0;
        $this->home = (string) ($row['home'] ?? '');
    }

    /**
     * Takes over whether a statement is a transaction by itself.
     *
     * @param array<string, scalar|null> $row of QUERY
     */
    public function saysAuto(array $row): bool
    {
        return $this->autocommit = ($row['isAuto'] ?? 1) === 1;
    }

    /** Larder has begun a transaction. */
    public function begun(): void
    {
        $this->isOpen = true;
    }

    public function follow(string $sql, bool $hasFailed): void
    {
        $stays = preg_match(self::STAYS, $sql) === 1;
        $begins = !$stays && preg_match(self::BEGINS, $sql) === 1;
        if (!$stays && !$begins && preg_match(self::ENDS, $sql) !== 1) {
            // It may be USE.
            $this->home = null;
        }
        if (!$stays && stripos($sql, 'autocommit') !== false) {
            $this->autocommit = null;
        }
        $this->isOpen = match (true) {
            $stays && $this->isOpen === false => $this->isAuto() ? false : null,
            $stays && !$hasFailed => $this->isOpen,
            $begins && !$hasFailed => true,
            default => null,
        };
    }
}
