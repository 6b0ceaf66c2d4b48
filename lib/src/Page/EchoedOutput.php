<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;

/** Catches what code echoes, for any output_buffering in php.ini. */
final readonly class EchoedOutput
{
    /**
     * Output that the code flushed past all buffers is sent at once and not returned. An exception drops what was
     * echoed.
     *
     * @param Closure(): void $run
     */
    public static function of(Closure $run): string
    {
        $level = ob_get_level();
        ob_start();
        try {
            $run();
            while (ob_get_level() > $level + 1) {
                ob_end_flush();
            }

            return ob_get_level() > $level ? (string) ob_get_contents() : '';
        } finally {
            while (ob_get_level() > $level) {
                ob_end_clean();
            }
        }
    }
}
