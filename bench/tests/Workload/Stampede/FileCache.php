<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Stampede;

use Closure;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Subject\Remembering;

/** Keeps one value in a file for all processes and makes it once, under a lock. It has the fault that it is given. */
final class FileCache implements Remembering
{
    private string $file = '';

    /** @param string $fault none, unlocked, cut, keeps-deleted */
    public function __construct(private readonly string $fault = 'none') {}

    public function connect(Context $context): void
    {
        $this->file = $context->directory . '/value';
    }

    public function close(): void {}

    public function remember(string $key, Closure $compute, Freshness $freshness): mixed
    {
        $found = $this->found();
        if ($found === null) {
            $lock = fopen($this->file . '.lock', 'c');
            \assert($lock !== false);
            if ($this->fault !== 'unlocked') {
                flock($lock, LOCK_EX);
            }
            $found = $this->fault === 'unlocked' ? null : $this->found();
            if ($found === null) {
                $before = $this->deletions();
                $found = [microtime(true) + $freshness->life, $compute()];
                if ($this->deletions() === $before || $this->fault === 'keeps-deleted') {
                    $new = $this->file . '.' . getmypid();
                    file_put_contents($new, serialize($found));
                    rename($new, $this->file);
                }
            }
            flock($lock, LOCK_UN);
            fclose($lock);
        }
        $value = $found[1];
        if ($this->fault === 'cut' && \is_array($value) && \is_string($value['text'])) {
            $value['text'] = substr($value['text'], 0, -1);
        }

        return $value;
    }

    public function forget(string $key): void
    {
        file_put_contents($this->file . '.deleted', 'x', FILE_APPEND);
        @unlink($this->file);
    }

    private function deletions(): int
    {
        clearstatcache();

        return (int) @filesize($this->file . '.deleted');
    }

    /** @return array{float, mixed}|null */
    private function found(): ?array
    {
        $text = @file_get_contents($this->file);
        /** @var array{float, mixed}|false $found */
        $found = $text === false ? false : unserialize($text);

        return $found === false || $found[0] < microtime(true) ? null : $found;
    }
}
