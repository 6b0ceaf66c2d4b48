<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use Larder\Tests\Support\Sql\Choices;

/** Random texts of `mariadb-binlog`. */
final class BinlogTexts implements LogTexts
{
    private readonly BinlogWriter $writer;

    private readonly BinlogTrial $trial;

    private readonly DamagedText $damaged;

    private PrintedLog $log;

    private string $last = '';

    public function __construct(private readonly Choices $choices)
    {
        $this->writer = new BinlogWriter($choices);
        $this->trial = new BinlogTrial($choices);
        $this->damaged = new DamagedText($choices);
        $this->log = $this->writer->log(1);
    }

    public function next(): void
    {
        $this->log = $this->writer->log($this->choices->number(1, 2));
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
