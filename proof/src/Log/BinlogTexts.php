<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use Larder\Tests\Support\Sql\Choices;

/** Texts of `mariadb-binlog`: random ones, and those of real servers. */
final class BinlogTexts implements LogTexts
{
    private readonly BinlogWriter $writer;

    private readonly BinlogTrial $trial;

    private readonly DamagedText $damaged;

    /** @var list<PrintedLog> */
    private array $captured;

    private PrintedLog $log;

    private string $last = '';

    public function __construct(private readonly Choices $choices)
    {
        $this->writer = new BinlogWriter($choices);
        $this->trial = new BinlogTrial($choices);
        $this->damaged = new DamagedText($choices);
        $files = glob(\dirname(__DIR__, 2) . '/fixtures/logs/mariadb-*.txt');
        $this->captured = array_map(
            static fn(string $file): PrintedLog => PrintedLog::captured((string) file_get_contents($file)),
            $files === false ? [] : $files,
        );
        $this->log = $this->writer->log(1);
    }

    public function next(): void
    {
        $this->log = $this->captured !== [] && $this->choices->happens(2)
            ? $this->choices->one($this->captured)
            : $this->writer->log($this->choices->number(1, 2));
    }

    public function try(Damage $damage): ?string
    {
        $this->last = $this->damaged->of($this->log->text, $damage);

        return $this->trial->run($this->log, $this->last, $damage);
    }

    public function last(): string
    {
        return $this->last;
    }
}
