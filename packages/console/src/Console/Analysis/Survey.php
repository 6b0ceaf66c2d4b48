<?php

declare(strict_types=1);

namespace Larder\Console\Analysis;

use Larder\Cache\Analysis\Sighting;

/**
 * What an access log says, by pattern of key. Its memory does not grow with the file, and it skips lines that it cannot
 * read.
 *
 * @internal
 */
final class Survey
{
    /** After this many patterns, all other keys are counted together. */
    private const PATTERNS = 500;
    private const OTHERS = '(others)';

    /** @var array<string, Pattern> */
    private array $patterns = [];

    private ?float $first = null;
    private float $last = 0.0;
    private int $lines = 0;
    private int $skipped = 0;

    /** @param resource $file */
    public static function of($file): self
    {
        $survey = new self();
        $isRest = false;
        while (($line = fgets($file, Sighting::LONGEST + 2)) !== false) {
            // The rest of a line that is too long is not a line.
            if (!$isRest) {
                $survey->add(rtrim($line, "\n"));
            }
            $isRest = !str_ends_with($line, "\n");
        }

        return $survey;
    }

    /** Numbers, and what looks like a hash or a UUID, become "*". */
    public static function fold(string $key): string
    {
        return (string) preg_replace('~(?=[a-f]*\d)[0-9a-f]{8,}(?:-[0-9a-f]{4,})*|\d+~i', '*', $key);
    }

    public function add(string $line): void
    {
        ++$this->lines;
        $sighting = Sighting::parse($line);
        if ($sighting === null) {
            ++$this->skipped;

            return;
        }
        $this->first = min($this->first ?? $sighting->time, $sighting->time);
        $this->last = max($this->last, $sighting->time);
        $name = self::fold($sighting->key);
        if (!isset($this->patterns[$name]) && \count($this->patterns) >= self::PATTERNS) {
            $name = self::OTHERS;
        }
        ($this->patterns[$name] ??= new Pattern($name))->add($sighting);
    }

    /** @return list<Pattern> those with the most compute time first, then with the most requests */
    public function patterns(): array
    {
        $patterns = array_values($this->patterns);
        usort(
            $patterns,
            static fn(Pattern $a, Pattern $b): int => [$b->work(), $b->requests()] <=> [$a->work(), $a->requests()],
        );

        return $patterns;
    }

    /** Seconds from the first line to the last. */
    public function span(): float
    {
        return $this->last - ($this->first ?? $this->last);
    }

    public function lines(): int
    {
        return $this->lines;
    }

    /** Lines that could not be read. */
    public function skipped(): int
    {
        return $this->skipped;
    }
}
