<?php

declare(strict_types=1);

namespace Larder\Torture\Pages;

/** What one reader counted. */
final class ReaderTally
{
    private const MOST_TOLD = 5;

    public int $reads = 0;
    public int $hits = 0;
    public int $notModified = 0;
    public int $compressed = 0;

    /** Requests whose php-fpm worker was killed, or that nginx answered by 5xx. */
    public int $unanswered = 0;
    public int $stale = 0;

    /** Answers that are no page at all. */
    public int $wrong = 0;

    /** @var list<string> the first few stale or wrong ones */
    public array $told = [];

    public function stale(string $what): void
    {
        ++$this->stale;
        $this->tell($what);
    }

    public function wrong(string $what): void
    {
        ++$this->wrong;
        $this->tell($what);
    }

    public function add(self $other): void
    {
        $this->reads += $other->reads;
        $this->hits += $other->hits;
        $this->notModified += $other->notModified;
        $this->compressed += $other->compressed;
        $this->unanswered += $other->unanswered;
        $this->stale += $other->stale;
        $this->wrong += $other->wrong;
        foreach ($other->told as $what) {
            $this->tell($what);
        }
    }

    private function tell(string $what): void
    {
        if (\count($this->told) < self::MOST_TOLD) {
            $this->told[] = $what;
        }
    }
}
