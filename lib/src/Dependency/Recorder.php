<?php

declare(strict_types=1);

namespace Larder\Dependency;

/** @internal What a RecordingPdo and its statements share: the reads being recorded, if any. */
final class Recorder
{
    private const REMEMBERED = 256;

    private ?RecordedReads $reads = null;

    /** @var array<string, Statement> by SQL text */
    private array $statements = [];

    public function __construct(private readonly Dialect $dialect) {}

    public function start(RecordedReads $reads): void
    {
        $this->reads = $reads;
    }

    public function stop(): void
    {
        $this->reads = null;
    }

    public function reads(): ?RecordedReads
    {
        return $this->reads;
    }

    /** @return bool whether the statement may run inside the render's read transaction */
    public function statement(string $sql, Dependency ...$names): bool
    {
        if ($this->reads === null) {
            return true;
        }
        $statement = $this->parsed($sql);
        $this->reads->statement($statement, ...$names);

        return $statement->refusal === null;
    }

    private function parsed(string $sql): Statement
    {
        if (\count($this->statements) >= self::REMEMBERED) {
            $this->statements = [];
        }

        return $this->statements[$sql] ??= Statement::parse($sql, $this->dialect);
    }
}
