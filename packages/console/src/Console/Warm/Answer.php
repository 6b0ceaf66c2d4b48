<?php

declare(strict_types=1);

namespace Larder\Console\Warm;

/** @internal What became of one page that was asked for. */
final readonly class Answer
{
    /**
     * @param int    $status of HTTP; 0: no answer came
     * @param string $reason why it is not stored, or why no answer came; empty for the others
     */
    public function __construct(
        public string $uri,
        public Outcome $outcome,
        public int $status,
        public string $reason = '',
    ) {}

    /** @param string $cacheStatus the header, as Larder and its nginx configuration write it */
    public static function of(string $uri, int $status, string $cacheStatus): self
    {
        $detail = preg_match('/detail="((?:[^"\\\\]|\\\\.)*)"/', $cacheStatus, $found) === 1
            ? stripslashes($found[1])
            : '';
        [$outcome, $reason] = match (true) {
            $status >= 500 || $status === 0 => [Outcome::Failed, $detail === '' ? "status $status" : $detail],
            str_starts_with($cacheStatus, 'larder; hit') => [Outcome::There, ''],
            str_ends_with($cacheStatus, '; stored') => [Outcome::Made, ''],
            $cacheStatus === '' => [Outcome::NotStored, 'who answered is no Larder: there is no Cache-Status'],
            default => [Outcome::NotStored, $detail],
        };

        return new self($uri, $outcome, $status, $reason);
    }
}
