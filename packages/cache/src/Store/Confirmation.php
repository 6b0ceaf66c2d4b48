<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Answer;

/** What a Confirming store knows of the keys it was asked for. */
final readonly class Confirmation
{
    /**
     * @param array<array-key, Answer> $answers of each key; its value is null unless it was wanted
     * @param array<array-key, string> $stamps the present stamp, by key. A key without one is not there, or the server
     *     did not prove which process it is: then nothing near is confirmed, and nothing is to be kept
     */
    public function __construct(
        public array $answers,
        public array $stamps,
    ) {}
}
