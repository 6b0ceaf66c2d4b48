<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

/** A test run as its source published it, in the source's own layout. */
final readonly class Published
{
    /**
     * @param string $test   such as "set-get"
     * @param string $title  what was reproduced, in a line
     * @param string $text   the output itself, lines ending in "\n"
     * @param string $remark what the layout hides
     */
    public function __construct(
        public string $test,
        public string $title,
        public string $text,
        public string $remark,
    ) {}
}
