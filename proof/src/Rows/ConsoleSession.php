<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Larder\Testbed\Process\Command;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use PDOException;

/** The database's own console, `mariadb` or `psql`, that somebody types into. It is killed with its session. */
final class ConsoleSession implements ForeignSession
{
    private const PATIENCE = 30.0;

    private const DONE = 'that is done';

    private ?Command $console = null;

    public function __construct(private readonly Database $database, private readonly string $directory) {}

    public function number(string $sql): ?int
    {
        $lines = $this->say($sql);

        return isset($lines[0]) && is_numeric($lines[0]) ? (int) $lines[0] : null;
    }

    public function run(array $statements): void
    {
        $this->say(implode(";\n", $statements));
    }

    public function end(): void
    {
        $this->console?->end();
        $this->console = null;
    }

    /** @return list<string> lines of results */
    private function say(string $sql): array
    {
        $this->console ??= new Command($this->command(), true);
        $isTaken = $this->console->write($sql . ";\nSELECT '" . self::DONE . "';\n");
        $lines = [];
        for ($end = microtime(true) + self::PATIENCE; ($line = $this->console->line($end)) !== self::DONE;) {
            if ($line === null || !$isTaken) {
                $why = $this->console->complaint();
                $this->end();
                throw new PDOException("The console has ended: $why");
            }
            $lines[] = $line;
        }

        return $lines;
    }

    /** @return non-empty-list<string> */
    private function command(): array
    {
        return $this->database->kind === DatabaseKind::MariaDb
            ? [
                'mariadb', ...$this->database->access($this->directory), '--batch', '--skip-column-names',
                '--unbuffered', $this->database->part('dbname'),
            ]
            : [
                'psql', '-qXAt', '-v', 'ON_ERROR_STOP=1', '-h', $this->database->part('host'),
                '-p', $this->database->part('port'), '-U', (string) $this->database->user,
                $this->database->part('dbname'),
            ];
    }
}
