<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Local;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\KeyValue;

/**
 * A file for each key. It is written under another name and then renamed, so that nobody reads half of it; its name is
 * a hash of the key, so that no key is a path; and there are 256 directories, so that none gets long.
 */
final class SafeFile implements KeyValue
{
    private string $directory = '';

    /** What tells this process' unfinished files from those of others. */
    private string $suffix = '';

    public function connect(Context $context): void
    {
        $this->directory = $context->directory . '/file-subject/';
        $this->suffix = '.' . getmypid();
        for ($number = 0; $number < 256; ++$number) {
            $directory = $this->directory . bin2hex(\chr($number));
            if (!is_dir($directory) && !@mkdir($directory, 0o700, true) && !is_dir($directory)) {
                throw Failed::connecting($directory, 'cannot be made');
            }
        }
    }

    public function close(): void {}

    public function get(string $key): ?string
    {
        $path = $this->path($key);
        $value = @file_get_contents($path);

        return $value === false ? $this->nothing('read', $key, $path) : $value;
    }

    public function set(string $key, string $value): void
    {
        $path = $this->path($key);
        $unfinished = $path . $this->suffix;
        if (@file_put_contents($unfinished, $value) !== \strlen($value) || !@rename($unfinished, $path)) {
            throw Failed::during('write', $key, error_get_last()['message'] ?? 'not all of it was written');
        }
    }

    public function delete(string $key): void
    {
        $path = $this->path($key);
        if (!@unlink($path)) {
            $this->nothing('unlink', $key, $path);
        }
    }

    private function path(string $key): string
    {
        $hash = hash('xxh128', $key);

        return $this->directory . $hash[0] . $hash[1] . '/' . $hash;
    }

    /** No such file is a miss; a file that cannot be read is none, nor is a store that is gone. */
    private function nothing(string $call, string $key, string $path): null
    {
        $words = error_get_last()['message'] ?? 'failed';

        return is_dir(\dirname($path)) && !file_exists($path) ? null : throw Failed::during($call, $key, $words);
    }
}
