<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;

/** @internal What code echoed, for any output_buffering in php.ini, and whether that is all of its output. */
final readonly class EchoedOutput
{
    /** @param bool $isWhole false: the code flushed or ended the buffer, so a part of its output went past it */
    private function __construct(
        public string $bytes,
        public bool $isWhole,
    ) {}

    /** Whether the visitor gets output of before: it was sent, or lies in a buffer. */
    public static function hasBegun(): bool
    {
        return headers_sent() || array_sum(array_column(ob_get_status(true), 'buffer_used')) > 0;
    }

    /**
     * An exception drops what was echoed.
     *
     * @param Closure(): void $run
     */
    public static function of(Closure $run): self
    {
        $level = ob_get_level();
        $isWhole = true;
        ob_start(static function (string $bytes, int $phase) use (&$isWhole): string {
            $isWhole = $isWhole && ($phase & (PHP_OUTPUT_HANDLER_FLUSH | PHP_OUTPUT_HANDLER_FINAL)) === 0;

            return $bytes;
        });
        try {
            $run();
            while (ob_get_level() > $level + 1 && ob_end_flush()) {
                continue;
            }

            return new self(ob_get_level() > $level ? (string) ob_get_contents() : '', $isWhole);
        } finally {
            while (ob_get_level() > $level && ob_end_clean()) {
                continue;
            }
        }
    }
}
