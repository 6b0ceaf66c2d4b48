<?php

declare(strict_types=1);

namespace Larder\Dependency;

/**
 * @internal The reads being recorded, of a page and of the values in it. A RecordingPdo shares it with its statements.
 */
final class Recorder
{
    private const REMEMBERED = 256;

    /** @var list<RecordedReads> the outermost first */
    private array $reads = [];

    /** @var array<string, Statement> by SQL text */
    private array $statements = [];

    public function __construct(private readonly Dialect $dialect) {}

    public function start(RecordedReads $reads): void
    {
        $this->reads[] = $reads;
    }

    /** Ends the innermost recording. What its result read, the outer result has read too. */
    public function stop(): void
    {
        $inner = array_pop($this->reads);
        if ($inner !== null) {
            $this->reads()?->include($inner);
        }
    }

    /** The reads of the innermost result. */
    public function reads(): ?RecordedReads
    {
        return $this->reads[array_key_last($this->reads)] ?? null;
    }

    /** @return bool whether the statement may run inside the render's read transaction */
    public function statement(string $sql, Dependency ...$names): bool
    {
        $reads = $this->reads();
        if ($reads === null) {
            return true;
        }
        $statement = $this->parsed($sql);
        $reads->statement($statement, ...$names);

        return $statement->refusal === null;
    }

    /** Whether the statement certainly changes nothing. */
    public function isRead(string $sql): bool
    {
        return $this->parsed($sql)->refusal === null;
    }

    private function parsed(string $sql): Statement
    {
        if (\count($this->statements) >= self::REMEMBERED) {
            $this->statements = [];
        }

        return $this->statements[$sql] ??= Statement::parse($sql, $this->dialect);
    }
}
