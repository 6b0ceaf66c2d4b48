<?php

declare(strict_types=1);

namespace Larder\Proof\Equal;

use Closure;
use Larder\Tests\Support\Sql\Action;
use Larder\Tests\Support\Sql\Binding;
use Larder\Tests\Support\Sql\Choices;
use Larder\Tests\Support\Sql\Command;
use Larder\Tests\Support\Sql\Database;
use Larder\Tests\Support\Sql\MariaDbWords;
use Larder\Tests\Support\Sql\Query;
use Larder\Tests\Support\Sql\RandomTable;
use Larder\Tests\Support\Sql\Schema;
use Larder\Tests\Support\Sql\Taking;
use Larder\Tests\Support\Sql\TwinsDiffer;
use Larder\Tests\Support\Sql\WriteMaker;
use LogicException;

/** What was done on a pair of connections, and what differed. */
final class Played
{
    /** Groups of random commands that one schema gets. */
    private const GROUPS = 150;

    /** Texts that surely read, and do not fail. */
    private const FOUND = '/^\W*SELECT(?!.*(?:\bwrites\b|"|nothing|nowhere|own$|; ))/is';

    /** Texts of which PDO's exec() sees the rows of a first statement alone. */
    private const UNSEEN = '/^SELECT [^;]*; SELECT \* FROM nowhere|^CALL[^;]*;|\bRETURNING\b/';

    public int $listed = 0;

    public int $random = 0;

    public int $refused = 0;

    /** @var list<string> */
    public array $differences = [];

    /** @param Closure(string): void $tell */
    public function __construct(
        private readonly Pair $pair,
        private readonly Way $way,
        private readonly Closure $tell,
        private readonly int $enough,
    ) {}

    /** Runs each statement of a list in each way that a connection has. */
    public function list(Listed $list): void
    {
        $takings = Taking::cases();
        foreach (self::forms() as $number => $form) {
            $isFirst = $number === 0;
            unset($twins);
            mysqli_report($number % 2 === 0 ? MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT : MYSQLI_REPORT_OFF);
            $this->pair->create($list->schema);
            $twins = $this->pair->twins($this->way, $list->tables);
            $isLeft = false;
            foreach ($list->statements as $at => $statement) {
                // Nor does it see what fails behind a row.
                if ($number === 2 && preg_match(self::UNSEEN, $statement) === 1 && $this->way !== Way::Mysqli) {
                    continue;
                }
                if ($isFirst || $isLeft) {
                    $this->refused += $twins->refused;
                    unset($twins, $differ);
                    $twins = $this->pair->twins($this->way, $list->tables);
                }
                $commands = $form($statement);
                // MariaDB's rows that PDO's exec() leaves keep a plain connection from all else.
                $isLeft = $commands[0]->action === Action::Exec && $this->way !== Way::Mysqli
                    && WriteMaker::returnsRows($statement);
                try {
                    $trace = '';
                    foreach ($commands as $command) {
                        $trace .= "$command\n";
                        $twins->run($command, $trace, $takings[($at + $number) % \count($takings)]);
                        ++$this->listed;
                    }
                } catch (TwinsDiffer $differ) {
                    if ($this->note($list->name, $differ)) {
                        return;
                    }
                    $this->refused += $twins->refused;
                    unset($twins, $differ);
                    $twins = $this->pair->twins($this->way, $list->tables);
                }
            }
            try {
                $twins->end("all of $list->name");
            } catch (TwinsDiffer $differ) {
                $this->note($list->name, $differ);
            }
            $this->refused += $twins->refused;
        }
    }

    /** Runs random commands in random schemas. */
    public function random(Database $database, int $commands, int $seed): void
    {
        $words = $this->way === Way::Mysqli ? new MariaDbWords(false) : $database->words();
        for ($round = 0; $this->random < $commands; ++$round) {
            mysqli_report($round % 2 === 0 ? MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT : MYSQLI_REPORT_OFF);
            $choices = new Choices($seed + $round);
            $list = Listed::own($database);
            // Whoever holds a table keeps it from being dropped.
            unset($twins, $differ);
            $this->pair->create($list->schema);
            $tables = self::tables($list);
            $twins = $this->pair->twins($this->way, array_column($tables, 'name'));
            $writes = new WriteMaker($choices, $words, new Schema($tables, [], []), changesSchema: false);
            try {
                $twins->play($writes, self::GROUPS);
            } catch (TwinsDiffer $differ) {
                if ($this->note('seed ' . ($seed + $round), $differ)) {
                    return;
                }
            } finally {
                $this->random += $twins->ran;
                $this->refused += $twins->refused;
            }
        }
    }

    /** @return list<Closure(string): list<Command>> */
    private static function forms(): array
    {
        return [
            // Behind a write, and behind what fails, FOUND_ROWS() is among what differs.
            static fn(string $sql): array => preg_match(self::FOUND, $sql) !== 1 ? [Command::run(new Query($sql))] : [
                Command::run(new Query($sql)),
                Command::run(new Query('SELECT FOUND_ROWS() AS n')),
            ],
            static fn(string $sql): array => [Command::run(new Query($sql))],
            static fn(string $sql): array => [Command::exec($sql)],
            static fn(string $sql): array => [
                Command::of(Action::Prepare, new Query($sql, [], Binding::BindValue)),
                Command::of(Action::Execute, new Query($sql, [], Binding::BindValue)),
                Command::of(Action::Execute, new Query($sql, [], Binding::BindParam)),
            ],
        ];
    }

    /** @return non-empty-list<RandomTable> */
    private static function tables(Listed $list): array
    {
        $tables = [];
        foreach ($list->schema as $statement) {
            if (preg_match('/^CREATE TABLE (news|comment) \((.*)\)$/', $statement, $found) === 1) {
                $tables[] = RandomTable::of($found[1], $found[2]);
            }
        }

        return $tables === [] ? throw new LogicException('The list has no such tables.') : $tables;
    }

    /** @return bool whether there are enough */
    private function note(string $where, TwinsDiffer $differ): bool
    {
        $this->differences[] = "$where: " . $differ->getMessage();
        ($this->tell)("{$this->way->value}, $where: " . $differ->getMessage());

        return \count($this->differences) >= $this->enough;
    }
}
