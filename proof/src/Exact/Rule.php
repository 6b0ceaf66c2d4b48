<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Larder\Proof\Mutation\Guard;
use Larder\Proof\Mutation\Mutant;
use Larder\Sql\Ledger\LockingProtocol;
use Larder\Sql\Ledger\OneWriterProtocol;
use Larder\Sql\Reading\MariaDbGrammar;
use Larder\Sql\Reading\Parser;
use Larder\Sql\Reading\ServerInsert;
use Larder\Sql\Reading\Tokens;
use Larder\Sql\Reading\Write;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\MariaDbCatalog;
use Larder\Sql\Schema\MariaDbDialect;
use Larder\Sql\Schema\PostgreSqlCatalog;
use Larder\Sql\Schema\PostgreSqlDialect;
use Larder\Sql\Schema\SideEffects;
use Larder\Sql\Schema\SqliteCatalog;
use Larder\Sql\Tracker\DerivedReads;
use Larder\Sql\Tracker\LockedImages;
use Larder\Sql\Tracker\LockingChange;
use Larder\Sql\Tracker\LockingRunner;
use Larder\Sql\Tracker\OneWriterChange;
use Larder\Sql\Tracker\OneWriterImages;
use Larder\Sql\Tracker\OneWriterRunner;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\Statement;
use Larder\Sql\Tracker\Transaction;
use Larder\Sql\Tracker\Upsert;
use Larder\Sql\Tracker\Writes;

/**
 * A rule by which names are derived, or made known. Without any of them a stale read must be found, or the zero proves
 * nothing.
 *
 * Where a second guard stands behind a rule, both are switched off, and the rule says so.
 */
enum Rule: string implements Guard
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

    public function mutants(): array
    {
        $conditions = '{parameter 1} instanceof Conditions ? {parameter 1} : null';
        $operand = 'Column|Constant|Conditions|null';
        $parser = Mutant::of(Parser::class);
        $reads = Mutant::of(RecordedReads::class);
        $derived = Mutant::of(DerivedReads::class);
        $type = Mutant::of(ColumnType::class);
        $images = Mutant::of(OneWriterImages::class);
        $locked = Mutant::of(LockedImages::class);
        $effects = Mutant::of(SideEffects::class);
        $mariaDb = Mutant::of(MariaDbCatalog::class);
        $sqlite = Mutant::of(SqliteCatalog::class);
        $postgreSql = Mutant::of(PostgreSqlCatalog::class);
        $transaction = Mutant::of(Transaction::class);
        $runner = Mutant::of(LockingRunner::class);
        $locking = Mutant::of(LockingProtocol::class);
        $oneWriter = Mutant::of(OneWriterProtocol::class);

        return match ($this) {
            self::Chain => [$parser->replace(
                'equal / return null / expr',
                '{parameter 0} instanceof Conditions ? {parameter 0} : null',
            )],
            self::InChain => [$parser->replace(
                'among / return Equality / expr',
                '{parameter 0} instanceof Conditions ? {parameter 0} : ({itself})',
            )],
            self::Not => [$parser->remove("operand / branch 'not' / return null")
                ->replace("operand / branch 'not' / statement expression", 'return {expr};')],
            self::NotIn => [$parser->remove('applied / statement applied / next')
                ->replace('applied / statement applied', 'return $this->applied({expr.args.0}, {parameter 1});')],
            self::Is => [$parser->replace("applied / branch 'is' / return null / expr", $conditions)],
            self::Or => [$parser->replace("applied / branch 'escape' / parent / return null / expr", $conditions)],
            self::ExclusiveOr => [Mutant::of(MariaDbGrammar::class)->replace("TIGHTNESS / item 'xor' / value", '3')],
            self::OuterJoin => [$parser->replace("sources / branch 'inner' / cond", "{left} !== ''")],
            self::Carried => [$derived->replace('constants / branch isCarried / cond', '{operand null}')],
            self::Boundaries => [$parser->replace(
                'source / branch query / return Source',
                '$inner = array_pop($this->selects); return new Source($inner?->sources[0]->table, {expr.args.1});',
            )],
            self::Declared => [$reads->replace('view / branch refuse / cond', 'false')],
            self::Views => [$reads->replace('view / loop whole / expr', '[]')],
            self::Functions => [
                $reads->replace('statement / branch asksForTime / cond', 'false'),
                Mutant::of(Statement::class)->replace('parse / call called', 'null'),
            ],
            self::Volatile => [$reads->replace('statement / branch asksForTime / cond', 'false')],
            self::VirtualColumns => [$mariaDb->text(
                'tables',
                'AND GENERATION_EXPRESSION REGEXP',
                "AND GENERATION_EXPRESSION = '' AND GENERATION_EXPRESSION REGEXP",
            )],
            self::Engines => [$mariaDb->text('ORDINARY', " AND ENGINE = 'InnoDB'", '')],
            self::Inheritance => [$postgreSql->text(
                'ORDINARY',
                'AND NOT EXISTS (SELECT 1 FROM pg_inherits i WHERE c.oid IN (i.inhrelid, i.inhparent))',
                '',
            )],
            self::Snapshot => [
                Mutant::of(MariaDbDialect::class)->text('beginSnapshot', 'REPEATABLE READ', 'READ COMMITTED'),
                Mutant::of(PostgreSqlDialect::class)->text('beginSnapshot', 'REPEATABLE READ', 'READ COMMITTED')
                    ->text('OF_SNAPSHOT', 'REPEATABLE READ', 'READ COMMITTED')
                    ->text('OF_SNAPSHOT', "SET TRANSACTION SNAPSHOT '%s'", "SET LOCAL larder.snapshot = '%s'"),
            ],
            self::Number => [Mutant::of(Tokens::class)->replace('number / choice isInteger / cond', 'true')],
            self::OwnType => [$derived->replace('known / operand isOwn', 'false')],
            self::Collate => [$parser->replace('applied / returnType', $operand)
                ->replace("applied / branch 'collate' / return null / expr", '{parameter 1}')],
            self::Cast => [$parser->replace('applied / returnType', $operand)
                ->replace("applied / branch '::' / return null / expr", '{parameter 1}')],
            self::Padding => [$type->replace('canonical / arm AsciiPaddedNoCase / call cut', '{args.0}')],
            self::LetterCase => [$type->replace('canonical / arm AsciiPaddedNoCase / call lower', '{args.0}')
                ->replace('canonical / arm TextNoCase / call lower', '{args.0}')],
            self::Ascii => [$type->replace('printable / operand preg_match', 'true')],
            self::Characters => [$postgreSql->text('typeOf', '/^CHARACTER VARYING(', '/^CHARACTER(?: VARYING)?(')],
            self::Collation => [
                $postgreSql->remove("typeOf / arm ''"),
                $mariaDb->text('COLLATION', '(?:GENERAL|', '(?:GENERAL|ROMAN|'),
                $sqlite->replace("typeOf / arm 'BINARY' / call in_array", "{args.0} !== 'NOCASE'"),
            ],
            self::ColumnTypes => [
                $mariaDb->text('INTEGER', '(?:TINY|SMALL|MEDIUM|BIG)?INT', '(?:YEAR|(?:TINY|SMALL|MEDIUM|BIG)?INT)'),
                $sqlite->text('typeOf', '|TEXT/', '|TEXT|STRING/'),
            ],
            self::BeforeImages => [
                $images->replace('names / call names', '{var}->names({assigned after})'),
                $locked->replace('names / call names', '{var}->names({assigned after})'),
            ],
            self::AfterImages => [
                $images->replace('names / call names', '{var}->names($this->before)'),
                $locked->replace('names / call names', '{var}->names($this->before)'),
            ],
            self::Keys => [
                Mutant::of(Writes::class)->remove('followed / operand moves'),
                Mutant::of(OneWriterChange::class)->replace('exact / call moves', 'false'),
                Mutant::of(LockingChange::class)->replace('exact / call moves', 'false'),
                $images->remove('names / operand {assigned keys}'),
                $locked->remove('names / operand {assigned keys}'),
            ],
            self::ForeignKeys => [$effects->replace("load / branch 'key' / assignment keys / var", '$unused')],
            self::ReferencedColumns => [$effects->replace('caused / operand UPDATE', 'false && {itself}')],
            self::Triggers => [$effects->replace('load / assignment triggers / var', '$unused')],
            self::TriggersBefore => [Mutant::of(LockingChange::class)->replace('before / call areSeen', 'true')],
            self::Replace => [
                Mutant::of(Write::class)->remove('inserted / choice DELETE / parent'),
                Mutant::of(ServerInsert::class)->remove('write / choice DELETE / parent'),
            ],
            self::UpsertBefore => [Mutant::of(Upsert::class)
                ->replace('names / call names', '{var}->names({assigned after})')],
            self::UpsertAfter => [Mutant::of(Upsert::class)
                ->replace('names / call names', '{var}->names({assigned seen})')],
            self::Rules => [
                $postgreSql->text('ORDINARY', 'AND NOT c.relhasrules', '')->text('FACTS', 'c.relhasrules OR ', ''),
            ],
            self::Temporary => [Mutant::of(Writes::class)->remove('isHidden / operand isTable')
                ->remove('isHidden / operand find')],
            self::OldSchema => [$locking->replace('mayHaveMissed / operand version', 'false')],
            self::OldSets => [$locking->remove('mayHaveMissed / statement haveSetsSince')],
            self::SetsLock => [$locking->remove('announce / call raise SETS / argument SETS')],
            self::Commit => [$transaction->replace('end / branch tell / cond', 'false')],
            self::ImplicitCommit => [$transaction->replace('ending / branch tell / cond', 'false')],
            self::Release => [Mutant::of(OneWriterRunner::class)->replace('release / branch tell / cond', 'false')],
            self::RollBackTo => [$runner->remove('returned / statement failed')],
            self::Gates => [$runner->replace('gated / call announcer', 'null')
                ->replace('gated / branch unknownTo / cond', 'false')],
            self::Everything => [$locking->replace('seal / item OF_ALL / parent', '{call slots}')],
            self::Schema => [
                $locking->remove('OF_ALL / item SCHEMA'),
                $oneWriter->remove("announce / operand 'isOfSchema'")
                    ->replace("register / branch 'isOfSchema' / cond", 'false'),
            ],
            self::Versions => [$locking->replace("register / branch 'versions' / cond", 'false && {operand life}')],
            self::Raise => [
                $locking->replace('announce / call raise SETS', '{var}->lock({args.1}, true)'),
                $oneWriter->remove('announce / statement bump'),
            ],
            self::Drop => [
                $locking->remove('announce / statement outdate'),
                $oneWriter->remove('announce / statement outdate'),
            ],
            self::SlotLocks => [$locking->replace(
                "register / choice 'SELECT 0 AS slot' / call locks",
                '{var}->locks({args.0}, true, true)',
            )],
        };
    }
}
