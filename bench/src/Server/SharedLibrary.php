<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Larder\Bench\Exception\Failed;

/** A piece of C that the bench needs, compiled once a run. */
final readonly class SharedLibrary
{
    /**
     * @param string $source    file below libexec/
     * @param string $directory of the run
     *
     * @return string the library's path
     *
     * @throws Failed if gcc is not there, or refuses it
     */
    public static function of(string $source, string $directory): string
    {
        $library = $directory . '/' . basename($source, '.c') . '.so';
        if (!is_file($library)) {
            $draft = $library . getmypid();
            exec(
                \sprintf(
                    'gcc -O2 -shared -fPIC %s -o %s -ldl 2>&1',
                    escapeshellarg(\dirname(__DIR__, 2) . '/libexec/' . $source),
                    escapeshellarg($draft),
                ),
                $output,
                $code,
            );
            if ($code !== 0 || !rename($draft, $library)) {
                throw Failed::connecting('gcc', implode(' ', $output));
            }
        }

        return $library;
    }
}
