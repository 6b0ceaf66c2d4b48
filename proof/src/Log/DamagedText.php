<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use Larder\Tests\Support\Sql\Choices;

/** Damages texts. */
final readonly class DamagedText
{
    private HostileText $hostile;

    public function __construct(private Choices $choices)
    {
        $this->hostile = new HostileText($choices);
    }

    public function of(string $text, Damage $damage): string
    {
        return match ($damage) {
            Damage::None => $text,
            Damage::Lines => $this->lines($text),
            Damage::Between => $this->between($text),
            Damage::Cut => substr($text, 0, $this->choices->number(0, \strlen($text))),
            Damage::Bytes => $this->bytes($text),
            Damage::Random => $this->random($text),
        };
    }

    private function lines(string $text): string
    {
        $lines = explode("\n", $text);
        $at = $this->choices->number(0, \count($lines) - 1);
        $taken = array_splice($lines, $at, $this->choices->number(1, 3));
        if ($this->choices->happens(30)) {
            array_splice($lines, $at, 0, [...$taken, ...$taken]);
        }

        return implode("\n", $lines);
    }

    private function between(string $text): string
    {
        $at = strpos($text, "\n", $this->choices->number(0, max(0, \strlen($text) - 2)));

        return $at === false ? $text : substr_replace($text, "\n" . $this->hostile->line(), $at, 0);
    }

    private function bytes(string $text): string
    {
        for ($left = $this->choices->number(1, 3); $left > 0 && $text !== ''; --$left) {
            $at = $this->choices->number(0, \strlen($text) - 1);
            $text[$at] = $this->choices->happens(40)
                ? $this->choices->one(["\n", "'", '#', '`', ' ', '"', '[', '\\', '9'])
                : \chr($this->choices->number(0, 255));
        }

        return $text;
    }

    /** Lines of this text and others, in any order. */
    private function random(string $text): string
    {
        $own = explode("\n", $text);
        $lines = [];
        for ($left = $this->choices->number(1, 20); $left > 0; --$left) {
            $lines[] = $this->choices->happens(60) ? $this->choices->one($own) : $this->hostile->line(2);
        }

        return implode($this->choices->one(["\n", "\n", '']), $lines) . "\n";
    }
}
