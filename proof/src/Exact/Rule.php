<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Larder\Dependency\ColumnType;
use Larder\Dependency\Database\MariaDbCatalog;
use Larder\Dependency\Database\MariaDbDialect;
use Larder\Dependency\Database\PostgreSqlCatalog;
use Larder\Dependency\Database\PostgreSqlDialect;
use Larder\Dependency\Database\SideEffects;
use Larder\Dependency\Database\SqliteCatalog;
use Larder\Dependency\Database\TableFacts;
use Larder\Dependency\Protocol\LockingProtocol;
use Larder\Dependency\Protocol\OneWriterProtocol;
use Larder\Dependency\RecordedReads;
use Larder\Dependency\Sql\MariaDbGrammar;
use Larder\Dependency\Sql\Parser;
use Larder\Dependency\Sql\Tokens;
use Larder\Dependency\Tracker\DerivedReads;
use Larder\Dependency\Tracker\OneWriterRunner;
use Larder\Dependency\Tracker\RowImages;
use Larder\Dependency\Tracker\ServerInsert;
use Larder\Dependency\Tracker\ServerRunner;
use Larder\Dependency\Tracker\Statement;
use Larder\Dependency\Tracker\Transaction;
use Larder\Dependency\Tracker\Upsert;
use Larder\Dependency\Tracker\Write;
use Larder\Dependency\Tracker\Writes;
use Larder\Proof\Mutation\Mutant;

/**
 * A rule by which names are derived, or made known. Without any of them a stale read must be found, or the zero proves
 * nothing.
 *
 * Where a second guard stands behind a rule, both are switched off, and the rule says so.
 */
enum Rule: string
{
    // What a SELECT reads.

    /** A comparison of a comparison says nothing of a column. */
    case Chain = 'chain';
    /** So does a list that one is looked for in. */
    case InChain = 'in-chain';
    case Not = 'not';
    case NotIn = 'not-in';
    /** What is true or not of a condition. */
    case Is = 'is';
    case Or = 'or';
    /** XOR binds as weakly as OR. */
    case ExclusiveOr = 'exclusive-or';
    /** The rows of the other side of an outer join stay. */
    case OuterJoin = 'outer-join';
    /** A value goes from one column to another only where both compare alike. */
    case Carried = 'carried';
    /** What is true of a derived table is not true of the rows that it is made from. */
    case Boundaries = 'boundaries';
    /** A view stands for the tables that it reads. */
    case Views = 'views';
    /** What reads something that is not declared, such as a view of more than tables, is not stored. */
    case Declared = 'declared';
    /** Two guards: a function may read a table, and what calls one that is not known is volatile too. */
    case Functions = 'functions';
    /** What depends on the clock, on chance or on the connection is not stored. */
    case Volatile = 'volatile';
    /** Nor what reads a column that does. */
    case VirtualColumns = 'virtual-columns';
    /** What an engine without transactions keeps, a ROLLBACK does not take back. */
    case Engines = 'engines';
    /** A table shows the rows of those that inherit from it. */
    case Inheritance = 'inheritance';
    /** All of a render is read in one snapshot. */
    case Snapshot = 'snapshot';

    // Which rows a name stands for.

    /** Other numbers than plain ones of digits. */
    case Number = 'number';
    /** A constant of another type than the column's. */
    case OwnType = 'own-type';
    /** A constant that says how it is compared. */
    case Collate = 'collate';
    /** A constant that is made one of another type. */
    case Cast = 'cast';
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
    /** 24 finds the YEAR 2024, and '01' what a column of SQLite has that is declared STRING. */
    case ColumnTypes = 'column-types';

    // What a writer changes.

    /** The names of a row as it was. */
    case BeforeImages = 'before-images';
    /** The names of a row as it is now. */
    case AfterImages = 'after-images';
    /** Two guards: what assigns a key is not followed, and the rows found later must have the keys found before. */
    case Keys = 'keys';
    case ForeignKeys = 'foreign-keys';
    /** They follow what is assigned, too. */
    case ReferencedColumns = 'referenced-columns';
    case Triggers = 'triggers';
    /** A trigger before a statement may change what it writes. */
    case TriggersBefore = 'triggers-before';
    /** REPLACE deletes the rows that are in its way. */
    case Replace = 'replace';
    /** An upsert of a server changes what the second connection shows. */
    case UpsertBefore = 'upsert-before';
    /** And that is otherwise behind it. */
    case UpsertAfter = 'upsert-after';
    /** Two guards: a rule of PostgreSQL makes a table none whose plan is known, and none whose rows are. */
    case Rules = 'rules';
    /** The name of a temporary table is the ordinary one's again, later. */
    case Temporary = 'temporary';
    /** A writer whose schema is old makes everything known. */
    case OldSchema = 'old-schema';
    /** A writer that knows fewer column sets than those that read, does so too. */
    case OldSets = 'old-sets';
    /** Nobody adds a set while a writer makes known what it knows. */
    case SetsLock = 'sets-lock';

    // When it is made known.

    /** What was written is made known before COMMIT. */
    case Commit = 'commit';
    /** Also before one that another statement does by itself. */
    case ImplicitCommit = 'implicit-commit';
    /** RELEASE commits where SAVEPOINT began. */
    case Release = 'release';
    /** ROLLBACK TO brings a transaction back that had failed. */
    case RollBackTo = 'rollback-to';
    /** What commits by itself is made known by another connection. */
    case Gates = 'gates';

    // What is stored, and what is dropped.

    /** All that is stored has what changes with everything. */
    case Everything = 'everything';
    /** And what changes with the schema. */
    case Schema = 'schema';
    /** What changed since it was read is not stored. */
    case Versions = 'versions';
    /** What is made known gets another version. */
    case Raise = 'raise';
    /** And its pages go. */
    case Drop = 'drop';
    /** Who registers stores nothing that somebody is about to change. */
    case SlotLocks = 'slot-locks';

    /** Switches the rule off for all that this process does. */
    public function switchOff(): void
    {
        foreach ($this->mutants() as $mutant) {
            $mutant->loadInstead();
        }
    }

    /**
     * Whether a renderer stops while it registers. With the rule its locks would let a writer wait for it then, and
     * both are in one process.
     */
    public function stopsInside(): bool
    {
        return $this === self::SlotLocks;
    }

    /** @return non-empty-list<Mutant> */
    private function mutants(): array
    {
        $left = 'return $left instanceof Conditions ? $left : null;';

        return match ($this) {
            self::Chain => [new Mutant(Parser::class, [
                "if (!\$left instanceof Column || (!\$right instanceof Column && !\$right instanceof Constant)) {\n"
                    . '            return null;' => "if (!\$left instanceof Column || (!\$right instanceof Column "
                    . "&& !\$right instanceof Constant)) {\n            $left",
            ])],
            self::InChain => [new Mutant(Parser::class, [
                'return $left instanceof Column && $isNarrow ?'
                    => 'return $left instanceof Conditions ? $left : ($left instanceof Column && $isNarrow ?',
                'new Conditions([new Equality($left, $constants)]) : null;'
                    => 'new Conditions([new Equality($left, $constants)]) : null);',
            ])],
            self::Not => [new Mutant(Parser::class, [
                "\$this->expression(self::NEGATION);\n\n                    return null;"
                    => 'return $this->expression(self::NEGATION);',
            ])],
            self::NotIn => [new Mutant(Parser::class, [
                "\$this->applied(\$negated, null);\n\n                return null;"
                    => 'return $this->applied($negated, $left);',
            ])],
            self::Is => [new Mutant(Parser::class, [
                "->expect('from');\n                }\n                \$this->expression(\$tightness + 1);\n\n"
                    . '                return null;' => "->expect('from');\n                }\n"
                    . "                \$this->expression(\$tightness + 1);\n\n                $left",
            ])],
            self::Or => [new Mutant(Parser::class, [
                "->take('escape')) {\n                    \$this->expression(\$tightness + 1);\n                }\n\n"
                    . '                return null;' => "->take('escape')) {\n"
                    . "                    \$this->expression(\$tightness + 1);\n                }\n\n"
                    . "                $left",
            ])],
            self::ExclusiveOr => [new Mutant(MariaDbGrammar::class, [
                "'xor' => 1, 'and' => 2" => "'xor' => 3, 'and' => 2",
            ])],
            self::OuterJoin => [new Mutant(Parser::class, ["if (\$join === 'inner') {" => "if (\$join !== '') {"])],
            self::Carried => [new Mutant(DerivedReads::class, [
                '$other !== null && $other[1] === $node[1] && $node[1]->isCarried()' => '$other !== null',
            ])],
            self::Boundaries => [new Mutant(Parser::class, [
                "\$this->query();\n                \$this->tokens->expect(')');\n\n"
                    . "                return new Source(null, \$this->alias() ?? '');"
                    => "\$this->query();\n            \$this->tokens->expect(')');\n"
                    . '            $inner = array_pop($this->selects);'
                    . " return new Source(\$inner?->sources[0]->table, \$this->alias() ?? '');",
            ])],
            self::Declared => [new Mutant(RecordedReads::class, [
                "bases(\$name);\n        if (\$tables === null) {" => "bases(\$name);\n        if (false) {",
            ])],
            self::Views => [new Mutant(RecordedReads::class, ['foreach ($tables ?? [] as' => 'foreach ([] as'])],
            self::Functions => [self::Volatile->mutants()[0], new Mutant(Statement::class, [
                '$grammar->isSqlite() ? null : self::called($tokens, $ends, $grammar)' => 'null',
            ])],
            self::Volatile => [new Mutant(RecordedReads::class, [
                'if ($statement->volatile || $statement->asksForTime($sent)) {' => 'if (false) {',
            ])],
            self::VirtualColumns => [new Mutant(MariaDbCatalog::class, [
                'AND GENERATION_EXPRESSION REGEXP' => "AND GENERATION_EXPRESSION = '' AND GENERATION_EXPRESSION REGEXP",
            ])],
            self::Engines => [new Mutant(MariaDbCatalog::class, [
                "\"TABLE_TYPE = 'BASE TABLE' AND ENGINE = 'InnoDB'\"" => "\"TABLE_TYPE = 'BASE TABLE'\"",
            ])],
            self::Inheritance => [new Mutant(PostgreSqlCatalog::class, [
                'AND NOT EXISTS (SELECT 1 FROM pg_inherits i WHERE c.oid IN (i.inhrelid, i.inhparent))' => '',
            ])],
            self::Snapshot => [
                new Mutant(MariaDbDialect::class, [
                    "'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ'"
                        => "'SET TRANSACTION ISOLATION LEVEL READ COMMITTED'",
                ]),
                new Mutant(PostgreSqlDialect::class, [
                    'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'
                        => 'BEGIN ISOLATION LEVEL READ COMMITTED, READ ONLY',
                    "ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET TRANSACTION SNAPSHOT '%s'"
                        => "ISOLATION LEVEL READ COMMITTED, READ ONLY; SET LOCAL larder.snapshot = '%s'",
                ]),
            ],
            self::Number => [new Mutant(Tokens::class, [
                'return Lexer::isInteger($text)' => 'return true',
            ])],
            self::OwnType => [new Mutant(DerivedReads::class, [
                '!$table->columns[$column]->isOwn($value)' => 'false',
            ])],
            self::Collate => [new Mutant(Parser::class, [
                "): ?Conditions {\n        \$operator ="
                    => "): Column|Constant|Conditions|null {\n        \$operator =",
                "\$this->name();\n\n                return null;"
                    => "\$this->name();\n\n                return \$left;",
            ])],
            self::Cast => [new Mutant(Parser::class, [
                "): ?Conditions {\n        \$operator ="
                    => "): Column|Constant|Conditions|null {\n        \$operator =",
                "\$this->type();\n\n                return null;"
                    => "\$this->type();\n\n                return \$left;",
            ])],
            self::Padding => [new Mutant(ColumnType::class, [
                'self::cut(self::lower(self::printable($value)))' => 'self::lower(self::printable($value))',
            ])],
            self::LetterCase => [new Mutant(ColumnType::class, [
                'self::cut(self::lower(self::printable($value)))' => 'self::cut(self::printable($value))',
                'self::lower(self::text($value))' => 'self::text($value)',
            ])],
            self::Ascii => [new Mutant(ColumnType::class, [
                'preg_match(\'/^[\x20-\x7e]*$/D\', $text) === 1 ? $text : null' => 'true ? $text : null',
            ])],
            self::Characters => [new Mutant(PostgreSqlCatalog::class, [
                "'/^CHARACTER VARYING(" => "'/^CHARACTER(?: VARYING)?(",
            ])],
            self::Collation => [
                new Mutant(PostgreSqlCatalog::class, ["\$collation !== '' => null," => '']),
                new Mutant(MariaDbCatalog::class, ['(?:GENERAL|UNICODE|' => '(?:GENERAL|ROMAN|UNICODE|']),
                new Mutant(SqliteCatalog::class, ["\\in_array(\$collation, ['', 'BINARY'], true) => ColumnType::Text,"
                    => "\$collation !== 'NOCASE' => ColumnType::Text,"]),
            ],
            self::ColumnTypes => [
                new Mutant(MariaDbCatalog::class, [
                    "'/^(?:TINY|SMALL|MEDIUM|BIG)?INT(?:" => "'/^(?:YEAR|(?:TINY|SMALL|MEDIUM|BIG)?INT)(?:",
                ]),
                new Mutant(SqliteCatalog::class, [
                    "preg_match('/CHAR|CLOB|TEXT/', \$declared) !== 1 => null"
                        => "preg_match('/CHAR|CLOB|TEXT|STRING/', \$declared) !== 1 => null",
                ]),
            ],
            self::BeforeImages => [self::images('$after')],
            self::AfterImages => [self::images('$this->before')],
            self::Keys => [
                new Mutant(Writes::class, [
                    '$isLost || $write->moves($table->key) ? null' => '$isLost ? null',
                    '$write->moves($table->key) => ' => 'false => ',
                ]),
                new Mutant(RowImages::class, [
                    '$after === null || !$isSame || (' => '$after === null || (',
                    'if (!$isSame || !$isCounted) {' => 'if (!$isCounted) {',
                ]),
            ],
            self::ForeignKeys => [new Mutant(SideEffects::class, ['$this->keys[$name][] = [' => '$unused = ['])],
            self::ReferencedColumns => [new Mutant(SideEffects::class, [
                '$isChanged = $event === Write::DELETE || (' => '$isChanged = $event === Write::DELETE || (false && ',
                '|| \in_array($key[\'referred\'], $write->columns, true)' . "\n            ));"
                    => '|| \in_array($key[\'referred\'], $write->columns, true)));',
            ])],
            self::Triggers => [new Mutant(SideEffects::class, [
                '$this->triggers[$name][] = ' => '$unused = ',
                '$this->triggers[strtolower((string) $row[\'name\'])][] = ' => '$unused = ',
            ])],
            self::TriggersBefore => [new Mutant(RowImages::class, [
                'if (!$facts->areSeen($write->table)) {' => 'if (false) {',
            ])],
            self::Replace => [
                new Mutant(Write::class, ['...($replaces ? [self::DELETE] : [])' => '']),
                new Mutant(ServerInsert::class, ['...($this->replaces ? [Write::DELETE] : []),' => '']),
            ],
            self::UpsertBefore => [self::upserted('$after')],
            self::UpsertAfter => [self::upserted('$before')],
            self::Rules => [
                new Mutant(PostgreSqlCatalog::class, ['AND NOT c.relhasrules' => '']),
                new Mutant(TableFacts::class, ['c.relhasrules OR ' => '']),
            ],
            self::Temporary => [new Mutant(Writes::class, [
                "\n            && !\$this->effects->isTable(\$table)\n"
                    . '            && $this->registry->find($table) === null' => '',
            ])],
            self::OldSchema => [new Mutant(LockingProtocol::class, [
                '$schema->version() !== $state[\'schema\'];' => 'false;',
            ])],
            self::OldSets => [new Mutant(LockingProtocol::class, [
                '$isOld = $isOld || $this->haveSetsSince($schema->lastSet(), $names);' => '',
            ])],
            self::SetsLock => [new Mutant(LockingProtocol::class, [
                '$this->first->raise($slots, [SqlState::SETS]);' => '$this->first->raise($slots);',
            ])],
            self::Commit => [new Mutant(Transaction::class, [
                'if ($commits && !$this->state->failed) {' => 'if (false) {',
            ])],
            self::ImplicitCommit => [new Mutant(Transaction::class, [
                "NoTransaction::isOver();\n        }\n        if (\$this->state->open && !\$this->state->failed) {"
                    => "NoTransaction::isOver();\n        }\n        if (false) {",
            ])],
            self::Release => [new Mutant(OneWriterRunner::class, [
                'if ($this->state->open && !$this->state->within) {' => 'if (false) {',
            ])],
            self::RollBackTo => [new Mutant(ServerRunner::class, [
                "are not changed any more.\n        \$this->state->failed = false;" => 'are not changed any more.',
            ])],
            self::Gates => [new Mutant(ServerRunner::class, [
                "\$this->transaction->gate() : null;\n        if (\$gate === null && \$this->effects->hasLedger()) {"
                    => "null : null;\n        if (false) {",
            ])],
            self::Everything => [new Mutant(LockingProtocol::class, [
                '$slots = [...self::OF_ALL, ...$reads->slots($this->slots)];'
                    => '$slots = $reads->slots($this->slots);',
            ])],
            self::Schema => [
                new Mutant(LockingProtocol::class, [
                    '[SqlState::EVERYTHING, Dialect::SCHEMA];' => '[SqlState::EVERYTHING];',
                ]),
                new Mutant(OneWriterProtocol::class, [
                    "if (!\$state['isOfSchema'] || (" => 'if ((',
                    "if (!\$state['isOfSchema']) {" => 'if (false) {',
                ]),
            ],
            self::Versions => [new Mutant(LockingProtocol::class, [
                "if (\$versions !== \$state['versions'] ||" => 'if (false &&',
            ])],
            self::Raise => [
                new Mutant(LockingProtocol::class, [
                    '$this->first->raise($slots, [SqlState::SETS]);' => '$this->first->lock([SqlState::SETS], true);',
                ]),
                new Mutant(OneWriterProtocol::class, ['$this->register->state->bump($names);' => '']),
            ],
            self::Drop => [
                new Mutant(LockingProtocol::class, ["\$pages->outdate(array_column(\$made, 'placed'));" => '']),
                new Mutant(OneWriterProtocol::class, ["\$pages->outdate(array_column(\$made, 'placed'));" => '']),
            ],
            self::SlotLocks => [new Mutant(LockingProtocol::class, [
                '$dialect->locks($own, false, true)' => '$dialect->locks($own, true, true)',
            ])],
        };
    }

    /** @param string $of the rows whose names are told */
    private static function upserted(string $of): Mutant
    {
        return new Mutant(Upsert::class, ['->names([...$before, ...$after])' => "->names($of)"]);
    }

    /** @param string $of the rows whose names are told */
    private static function images(string $of): Mutant
    {
        $end = "those that were found';\n        }\n\n        return \$this->keyed()->names(";
        $server = ' : ' . "'the rows that it changed are not $end";
        $plain = "return 'the rows that it changed are not $end";

        return new Mutant(RowImages::class, [
            $server . '[...$this->before, ...$after])' => "$server$of)",
            $plain . '[...$this->before, ...$after])' => "$plain$of)",
        ]);
    }
}
