<?php

declare(strict_types=1);

namespace App\Torture;

/** What one reader counted. */
final class ReaderTally
{
    private const MOST_TOLD = 5;

    public int $reads = 0;
    public int $hits = 0;
    public int $notModified = 0;
    public int $compressed = 0;
    public int $unanswered = 0;
    public int $stale = 0;

    /** @var list<string> */
    public array $told = [];

    public function stale(string $what): void
    {
        ++$this->stale;
        $this->wrong($what);
    }

    public function wrong(string $what): void
    {
        if (\count($this->told) < self::MOST_TOLD) {
            $this->told[] = $what;
        }
    }

    public function add(self $other): void
    {
        foreach (['reads', 'hits', 'notModified', 'compressed', 'unanswered', 'stale'] as $count) {
            $this->{$count} += $other->{$count};
        }
        foreach ($other->told as $what) {
            $this->wrong($what);
        }
    }
}
