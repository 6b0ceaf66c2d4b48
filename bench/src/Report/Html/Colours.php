<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Result\Document;
use Larder\Bench\Result\Role;

/** One look for a subject in the whole report: a colour of the style sheet and a dash. */
final readonly class Colours
{
    /** Contenders have --c0 to --c23; floors and ceilings a grey, --c24. */
    private const COLOURS = 24;

    /** @param array<string, array{int, int}> $looks colour and dash by subject */
    private function __construct(private array $looks) {}

    public static function of(Document $document): self
    {
        $looks = [];
        $contenders = $others = 0;
        foreach ($document->subjects as $sheet) {
            if ($sheet->role === Role::Contender) {
                $looks[$sheet->subject] = [$contenders % self::COLOURS, intdiv($contenders, self::COLOURS) % 3];
                ++$contenders;
            } elseif ($sheet->role !== Role::Twin) {
                $looks[$sheet->subject] = [self::COLOURS, $others++ % 3];
            }
        }
        foreach ($document->subjects as $sheet) {
            // A twin looks like the one it doubles, but dotted.
            $looks[$sheet->subject] ??= [$looks[(string) strstr($sheet->subject, '#', true)][0] ?? self::COLOURS, 2];
        }

        return new self($looks);
    }

    /** @return array{int, int} */
    public function look(string $subject): array
    {
        return $this->looks[$subject] ?? [self::COLOURS, 0];
    }

    /** A piece of its line, for beside its name. */
    public function key(string $subject): string
    {
        return \sprintf('<i class="k c%d d%d"></i>', ...$this->look($subject));
    }
}
