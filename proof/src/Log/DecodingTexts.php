<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use Larder\Follow\LogEvent;
use Larder\Follow\PostgreSql\TestDecoding;
use Larder\Tests\Support\Sql\Choices;

/** Texts of test_decoding: random ones, and those of real servers. */
final class DecodingTexts implements LogTexts
{
    private readonly DecodingWriter $writer;

    private readonly DecodingTrial $trial;

    private readonly DamagedText $damaged;

    /** @var list<string> */
    private array $captured = [];

    /** @var array{string, list<LogEvent>} */
    private array $change;

    private string $last = '';

    public function __construct(private readonly Choices $choices)
    {
        $this->writer = new DecodingWriter($choices);
        $this->trial = new DecodingTrial();
        $this->damaged = new DamagedText($choices);
        $files = glob(\dirname(__DIR__, 2) . '/fixtures/logs/postgresql-*.json');
        foreach ($files === false ? [] : $files as $file) {
            $texts = json_decode((string) file_get_contents($file), true);
            array_push($this->captured, ...array_filter(\is_array($texts) ? array_values($texts) : [], is_string(...)));
        }
        $this->change = $this->writer->change();
    }

    public function next(): void
    {
        if ($this->captured !== [] && $this->choices->happens(5)) {
            $text = $this->choices->one($this->captured);
            $this->change = [$text, TestDecoding::read($text)];
        } else {
            $this->change = $this->writer->change();
        }
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
