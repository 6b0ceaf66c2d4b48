<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

/** @internal Whether a transaction is open in a session of a mysqli, as far as the texts of its statements say. */
final class MysqliSession
{
    public const QUERY = 'SELECT @@SESSION.in_transaction AS isOpen, @@SESSION.autocommit AS isAuto';

    /** Statements that neither begin nor end a transaction, unless they fail. */
    private const STAYS = '/^\s*(?:select|insert|update|delete|replace|show|explain|savepoint|do)\b/i';

    private const BEGINS = '/^\s*(?:start\s+transaction|begin(?!\s+not\b))\b/i';

    private ?bool $isOpen = null;

    /** Whether a statement is a transaction by itself where none is open. */
    private bool $autocommit = true;

    /** It is another session. */
    public function forget(): void
    {
        $this->isOpen = null;
        $this->autocommit = true;
    }

    /** Null: the server has to be asked. */
    public function isOpen(): ?bool
    {
        return $this->isOpen;
    }

    /** Whether it is known, and also will be after a SELECT. */
    public function isKnown(): bool
    {
        return $this->isOpen !== null && $this->autocommit;
    }

    /** @param array<string, scalar|null> $row of QUERY */
    public function says(array $row): void
    {
        $this->isOpen = ($row['isOpen'] ?? 0) === 1;
        $this->autocommit = ($row['isAuto'] ?? 1) === 1;
    }

    public function follow(string $sql, bool $hasFailed): void
    {
        $this->isOpen = match (true) {
            $hasFailed => null,
            preg_match(self::STAYS, $sql) === 1 && stripos($sql, 'autocommit') === false
                => $this->autocommit || $this->isOpen === true ? $this->isOpen : null,
            preg_match(self::BEGINS, $sql) === 1 => true,
            default => null,
        };
    }
}
