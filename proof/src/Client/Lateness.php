<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

/**
 * Which calls went on after their deadline, and when the whole machine stood still: two files to which every process
 * appends lines.
 */
final readonly class Lateness
{
    /** Nanoseconds after a deadline for encoding and decoding, which a deadline does not count. */
    public const WORK = 10_000_000;

    public function __construct(private string $directory) {}

    /**
     * All in nanoseconds.
     *
     * @param int $late after its deadline + 10 %, without the time that it waited for a processor
     */
    public function called(string $name, int $began, int $ended, int $late): void
    {
        file_put_contents($this->directory . '/late', "$began $ended $late $name\n", FILE_APPEND);
    }

    /** Notes a stop that an idle process saw. */
    public function stood(int $began, int $ended): void
    {
        file_put_contents($this->directory . '/stood', "$began $ended\n", FILE_APPEND);
    }

    /** @return list<string> the calls that were too long, not counting the time in which the machine stood still */
    public function tooLong(): array
    {
        $stood = array_map(
            static fn(array $words): array => [(int) $words[0], (int) ($words[1] ?? 0)],
            self::lines($this->directory . '/stood'),
        );
        $tooLong = [];
        foreach (self::lines($this->directory . '/late') as $words) {
            [$began, $ended, $late] = array_map(intval(...), [...$words, '', '', '']);
            foreach ($stood as [$from, $until]) {
                $late -= max(0, min($ended, $until) - max($began, $from));
            }
            if ($late > self::WORK) {
                $tooLong[] = \sprintf('%s: %.1f ms after its deadline + 10 %%', $words[3] ?? '', $late / 1e6);
            }
        }

        return $tooLong;
    }

    /** @return list<list<string>> the words of each line */
    private static function lines(string $file): array
    {
        $lines = is_file($file) ? file($file, FILE_IGNORE_NEW_LINES) : [];

        return array_map(static fn(string $line): array => explode(' ', $line, 4), $lines === false ? [] : $lines);
    }
}
