<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Document;

/** The few answers of a run that tell the most, as a Markdown table for a README. */
final readonly class Highlights
{
    public const ROWS = 6;

    public function render(Document $document): string
    {
        $rows = [];
        foreach ($this->pick($document) as $advice) {
            $rows[] = [$advice->question, self::firstSentence($advice->answer)];
        }
        if ($rows === []) {
            return "This run compared nothing.\n";
        }

        return MarkdownTable::of(['Question', 'This run\'s answer'], $rows)
            . \sprintf(
                "\n%sMade on %s by `%s`; ratios are medians over paired blocks, with their 95 %% intervals.\n",
                $document->isReliable() === false
                    ? '**The A/A check of this run failed: it is not to be relied on.** '
                    : '',
                substr($document->started, 0, 10),
                $document->command,
            );
    }

    /**
     * @return list<Advice> one a topic, those whose intervals keep furthest from "no difference", in the guide's order
     */
    public function pick(Document $document): array
    {
        $advice = array_values(
            array_filter((new Guide())->advice($document), static fn(Advice $advice): bool => $advice->figure !== null),
        );
        $order = array_keys($advice);
        usort(
            $order,
            static fn(int $one, int $other): int => [
                $advice[$other]->strength,
                $one,
            ] <=> [$advice[$one]->strength, $other],
        );
        $best = [];
        foreach ($order as $index) {
            $best[$advice[$index]->topic] ??= $index;
        }
        $best = \array_slice(array_values($best), 0, self::ROWS);
        sort($best);

        return array_map(static fn(int $index): Advice => $advice[$index], $best);
    }

    /** The figures come first; what they mean is in the full report. */
    private static function firstSentence(string $answer): string
    {
        return preg_match('/^.+?\.(?=\s|$)/su', $answer, $match) === 1 ? $match[0] : $answer;
    }
}
