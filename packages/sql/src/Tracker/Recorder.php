<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Larder\Sql\Reading\Grammar;
use Larder\Sql\Reading\Lexer;
use mysqli_sql_exception;
use PDOException;
use Throwable;

/**
 * @internal The reads being recorded, of a page and of the values in it. A RecordingPdo shares it with its statements.
 */
final class Recorder
{
    private const REMEMBERED = 256;

    /** @var list<array{RecordedReads, int}> the outermost first, each with its number */
    private array $reads = [];

    /** The reads of the innermost result, for who asks at each hit; nobody else sets it. */
    public ?RecordedReads $innermost = null;

    /** The number of the innermost one; 0: there is none. */
    private int $number = 0;

    /** How many recordings were started. */
    private int $started = 0;

    /** @var array<string, Statement> by SQL text */
    private array $statements = [];

    /** @var array<string, Statement> that only read, by what their text has in common with others; the newest */
    private array $shapes = [];

    /** @var array<string, bool> whether it only reads, by SQL text */
    private array $only = [];

    public function __construct(private Grammar $grammar) {}

    /** From now on statements are read by another grammar. */
    public function speak(Grammar $grammar): void
    {
        if ($grammar !== $this->grammar) {
            $this->grammar = $grammar;
            $this->statements = $this->shapes = $this->only = [];
        }
    }

    public function start(RecordedReads $reads): void
    {
        $this->reads[] = [$reads, ++$this->started];
        [$this->innermost, $this->number] = [$reads, $this->started];
    }

    /** Ends the innermost recording. What its result read, the outer result has read too. */
    public function stop(): void
    {
        $inner = array_pop($this->reads);
        [$this->innermost, $this->number] = $this->reads === []
            ? [null, 0]
            : $this->reads[array_key_last($this->reads)];
        if ($inner !== null) {
            $this->innermost?->include($inner[0]);
        }
    }

    /** The reads of the innermost result. */
    public function reads(): ?RecordedReads
    {
        return $this->innermost;
    }

    public function started(): int
    {
        return $this->started;
    }

    /**
     * Notes that rows are fetched.
     *
     * @param int $started what started() was when the statement ran
     */
    public function fetched(int $started): void
    {
        if ($started < $this->number) {
            $this->innermost?->refuse('it fetched rows of a statement that ran before it was begun');
        }
    }

    /**
     * Notes that a statement has failed, or a question of Larder's own that it needed. What is being made may be made
     * from that, also if the application catches it.
     *
     * @param Throwable|string $why what it failed with, or its SQLSTATE
     */
    public function failed(Throwable|string $why): void
    {
        if ($this->innermost === null) {
            return;
        }
        $state = match (true) {
            $why instanceof PDOException => $why->errorInfo[0] ?? '',
            $why instanceof mysqli_sql_exception => $why->getSqlState(),
            default => $why,
        };
        $this->innermost->failed(\is_string($state) ? $state : '');
    }

    /** Whether a statement surely only reads. */
    public function onlyReads(string $sql): bool
    {
        if (\count($this->only) >= self::REMEMBERED) {
            $this->only = [];
        }

        return $this->only[$sql] ??= $this->isPlain($sql) || $this->parsed($sql)->refusal === null;
    }

    public function isPlain(string $sql): bool
    {
        return Statement::isPlain($sql, $this->grammar);
    }

    public function parsed(string $sql): Statement
    {
        return $this->statements[$sql] ?? $this->remembered($sql);
    }

    private function remembered(string $sql): Statement
    {
        if (\count($this->statements) >= self::REMEMBERED) {
            $this->statements = [];
        }

        return $this->statements[$sql] = $this->shaped($sql);
    }

    /** Most texts that are new have been there with other literals. */
    private function shaped(string $sql): Statement
    {
        $matches = null;
        $found = strncasecmp($sql, 'SELECT', 6) === 0 ? Lexer::shape($sql, $this->grammar, $matches) : null;
        if ($found === null) {
            return Statement::parse($sql, $this->grammar, $matches);
        }
        [$shape, $literals] = $found;
        if (isset($this->shapes[$shape])) {
            // The newest one knows what the one before it derived of the tables.
            return $this->shapes[$shape] = $this->shapes[$shape]->with($literals);
        }
        $statement = Statement::parse($sql, $this->grammar, $matches);
        if (\count($this->shapes) >= self::REMEMBERED) {
            $this->shapes = [];
        }
        if ($statement->refusal === null) {
            $this->shapes[$shape] = $statement;
        }

        return $statement;
    }
}
