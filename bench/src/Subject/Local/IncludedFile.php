<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Local;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Objects;
use LogicException;

/**
 * A PHP file for each key that returns the value as a constant: opcache hands it out without a copy. There is no set to
 * speak of, as each makes a file and has it compiled.
 */
final class IncludedFile implements Objects
{
    private ?string $directory = null;

    public function connect(Context $context): void
    {
        if (!\function_exists('opcache_get_status') || opcache_get_status(false) === false) {
            throw Failed::connecting('opcache', 'opcache.enable_cli is off');
        }
        $this->directory = $context->directory . '/included';
        @mkdir($this->directory, 0o700, true);
    }

    public function close(): void
    {
        $this->directory = null;
    }

    public function setObject(string $key, mixed $value): void
    {
        $file = $this->file($key);
        $draft = $file . getmypid();
        if (
            @file_put_contents($draft, '<?php return ' . var_export($value, true) . ";\n") === false
            || !rename($draft, $file)
        ) {
            throw Failed::during('file_put_contents', $key, 'refused');
        }
        opcache_invalidate($file, true);
    }

    public function getObject(string $key): mixed
    {
        $file = $this->file($key);

        return is_file($file) ? include $file : null;
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        $file = $this->file($key);
        $value = null;
        for ($time = 0; $time < $times; ++$time) {
            $value = include $file;
        }

        return $value;
    }

    private function file(string $key): string
    {
        return ($this->directory ?? throw new LogicException('not connected')) . '/' . md5($key) . '.php';
    }
}
