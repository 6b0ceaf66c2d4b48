<?php

declare(strict_types=1);

namespace Larder\Console\Warm;

/** @internal Asks for pages, several at a time. Each request ends at a deadline. */
interface Requests
{
    public function start(string $uri): void;

    /**
     * Waits for answers.
     *
     * @param float|null $seconds at most; null: until one comes, or the next deadline
     *
     * @return list<Answer> those that came
     */
    public function wait(?float $seconds): array;
}
