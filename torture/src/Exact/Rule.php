<?php

declare(strict_types=1);

namespace Larder\Torture\Exact;

use Larder\Dependency\ColumnType;
use Larder\Dependency\LockingProtocol;
use Larder\Dependency\PostgreSqlCatalog;
use Larder\Dependency\RecordedReads;
use Larder\Dependency\RowImages;
use Larder\Dependency\SideEffects;
use Larder\Dependency\Sql\MariaDbGrammar;
use Larder\Dependency\Sql\Parser;
use Larder\Dependency\Statement;
use Larder\Dependency\Transaction;
use Larder\Dependency\Write;
use Larder\Torture\Exploration\Mutant;

/** A rule by which names are derived. Without any of them a stale read must be found, or the zero proves nothing. */
enum Rule: string
{
    /** What reads something that is not declared, such as a view, is not stored. */
    case Declared = 'declared';
    case ForeignKeys = 'foreign-keys';
    case Triggers = 'triggers';
    /** REPLACE deletes the rows that are in its way. */
    case Replace = 'replace';
    /** What was written is made known before COMMIT. */
    case Commit = 'commit';

    /** A comparison of a comparison says nothing of a column. */
    case Chain = 'chain';
    case Not = 'not';
    /** The rows of the other side of an outer join stay. */
    case OuterJoin = 'outer-join';
    /** XOR binds as weakly as OR. */
    case ExclusiveOr = 'exclusive-or';
    /** A function that may read a table. */
    case Functions = 'functions';
    /** Blanks at the end do not count. */
    case Padding = 'padding';
    /** 'A' equals 'a'. */
    case LetterCase = 'letter-case';
    /** Nobody can tell which texts equal one with other signs than those of ASCII. */
    case Ascii = 'ascii';
    /** CHAR(n) is padded. */
    case Characters = 'characters';
    /** A collation may find different texts equal. */
    case Collation = 'collation';
    /** MariaDB does not count rows that stay as they are. */
    case OwnWhere = 'own-where';
    /** A trigger before a statement may change what it writes. */
    case TriggersBefore = 'triggers-before';
    /** All that is stored has what changes with everything. */
    case Everything = 'everything';
    /** What changed since it was read is not stored. */
    case Versions = 'versions';
    /** What is made known gets another version. */
    case Raise = 'raise';
    /** Who registers waits for no writer, and stores nothing that one is about to change. */
    case SlotLocks = 'slot-locks';
    /** A writer that knows fewer column sets, or another schema, makes everything known. */
    case OldPlans = 'old-plans';

    /** Switches the rule off for all that this process does. */
    public function switchOff(): void
    {
        $this->mutant()->loadInstead();
    }

    private function mutant(): Mutant
    {
        return match ($this) {
            self::Declared => new Mutant(RecordedReads::class, [
                'if ($this->registry->find($source) === null) {' => 'if (false) {',
            ]),
            self::ForeignKeys => new Mutant(SideEffects::class, ['$this->keys[$name][] = [' => '$unused = [']),
            self::Triggers => new Mutant(SideEffects::class, [
                '$this->triggers[$name][] = ' => '$unused = ',
                '$this->triggers[strtolower((string) $row[\'name\'])][] = ' => '$unused = ',
            ]),
            self::Replace => new Mutant(Write::class, ['...($replaces ? [self::DELETE] : [])' => '']),
            self::Commit => new Mutant(Transaction::class, ['if ($commits && !$this->failed) {' => 'if (false) {']),
            self::Chain => new Mutant(Parser::class, [
                "if (!\$left instanceof Column || (!\$right instanceof Column && !\$right instanceof Constant)) {\n"
                    . '            return null;' => "if (!\$left instanceof Column || (!\$right instanceof Column "
                    . "&& !\$right instanceof Constant)) {\n"
                    . '            return $left instanceof Conditions ? $left : null;',
            ]),
            self::Not => new Mutant(Parser::class, [
                "\$this->expression(self::NEGATION);\n\n                    return null;"
                    => 'return $this->expression(self::NEGATION);',
            ]),
            self::OuterJoin => new Mutant(Parser::class, ["if (\$join === 'inner') {" => "if (\$join !== '') {"]),
            self::ExclusiveOr => new Mutant(MariaDbGrammar::class, ["'xor' => 1" => "'xor' => 3"]),
            self::Functions => new Mutant(Statement::class, [
                '$grammar->isSqlite() ? null : self::called($tokens, $ends, $grammar)' => 'null',
            ]),
            self::Padding => new Mutant(ColumnType::class, [
                'self::cut(self::lower(self::printable($value)))' => 'self::lower(self::printable($value))',
            ]),
            self::LetterCase => new Mutant(ColumnType::class, [
                'self::cut(self::lower(self::printable($value)))' => 'self::cut(self::printable($value))',
            ]),
            self::Ascii => new Mutant(ColumnType::class, [
                "preg_match('/^[\x20-\x7e]*$/D', \$text) === 1 ? \$text : null" => '$text',
            ]),
            self::Characters => new Mutant(PostgreSqlCatalog::class, [
                "'/^CHARACTER VARYING(" => "'/^CHARACTER(?: VARYING)?(",
            ]),
            self::Collation => new Mutant(PostgreSqlCatalog::class, ["\$collation !== '' => null," => '']),
            self::OwnWhere => new Mutant(RowImages::class, ['if ($uncertain !== []) {' => 'if (false) {']),
            self::TriggersBefore => new Mutant(RowImages::class, [
                'if (!$facts->areSeen($write->table)) {' => 'if (false) {',
            ]),
            self::Everything => new Mutant(LockingProtocol::class, [
                '$slots = [...self::OF_ALL, ...$reads->slots($this->slots)];'
                    => '$slots = $reads->slots($this->slots);',
            ]),
            self::Versions => new Mutant(LockingProtocol::class, [
                "if (\$versions !== \$state['versions'] ||" => 'if (false &&',
            ]),
            self::Raise => new Mutant(LockingProtocol::class, ['$this->first->raise($slots);' => '']),
            self::SlotLocks => new Mutant(LockingProtocol::class, ['if ($own !== []) {' => 'if (false) {']),
            self::OldPlans => new Mutant(LockingProtocol::class, ['if ($isOld) {' => 'if ($isOld = false) {']),
        };
    }
}
