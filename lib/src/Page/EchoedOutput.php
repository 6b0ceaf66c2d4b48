<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;

/** What code echoes, whatever php.ini says of output_buffering. */
final readonly class EchoedOutput
{
    /**
     * Output that the code flushed past every buffer is sent and not in the text. What was echoed before an exception is dropped.
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
