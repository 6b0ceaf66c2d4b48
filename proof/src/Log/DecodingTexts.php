<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use Larder\Follow\LogEvent;
use Larder\Tests\Support\Sql\Choices;

/** Random texts of test_decoding. */
final class DecodingTexts implements LogTexts
{
    private readonly DecodingWriter $writer;

    private readonly DecodingTrial $trial;

    private readonly DamagedText $damaged;

    /** @var array{string, list<LogEvent>} */
    private array $change;

    private string $last = '';

    public function __construct(Choices $choices)
    {
        $this->writer = new DecodingWriter($choices);
        $this->trial = new DecodingTrial();
        $this->damaged = new DamagedText($choices);
        $this->change = $this->writer->change();
    }

    public function next(): void
    {
        $this->change = $this->writer->change();
    }

    public function try(Damage $damage): ?string
    {
        if ($damage === Damage::None) {
            $this->next();
        }
        $this->last = $this->damaged->of($this->change[0], $damage);

        return $this->trial->run($this->last, $this->change[1], $damage);
    }

    public function last(): string
    {
        return $this->last;
    }
}
