<?php

declare(strict_types=1);

namespace App\Tests\Site;

/**
 * A file in which each render notes its begin and its end, so that a test can count what ran and how much of it at
 * once.
 */
final readonly class RenderLog
{
    public function __construct(private string $file) {}

    /** @return int which render of this page it is, counted from 1 */
    public function begin(string $page): int
    {
        $this->note('begin', $page);

        return \count(
            array_filter(
                $this->all(),
                static fn(array $note): bool => $note['step'] === 'begin' && $note['page'] === $page,
            ),
        );
    }

    public function end(string $page): void
    {
        $this->note('end', $page);
    }

    /** @return list<array{step: string, page: string, pid: int, at: float}> at: seconds */
    public function all(): array
    {
        $notes = [];
        foreach (is_file($this->file) ? (array) file($this->file, FILE_IGNORE_NEW_LINES) : [] as $line) {
            [$step, $page, $pid, $at] = explode(' ', (string) $line) + ['', '', '', ''];
            $notes[] = ['step' => $step, 'page' => $page, 'pid' => (int) $pid, 'at' => (float) $at];
        }

        return $notes;
    }

    private function note(string $step, string $page): void
    {
        file_put_contents(
            $this->file,
            \sprintf("%s %s %d %.6F\n", $step, $page, (int) getmypid(), microtime(true)),
            FILE_APPEND | LOCK_EX,
        );
    }
}
