<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

/** How far the run is and how long it will still take, on standard error: one line that is written over, or a line a chart. */
final class Progress
{
    private readonly bool $terminal;
    private readonly float $begin;
    private int $done = 0;
    private string $chart = '';

    /** @param resource $stream */
    public function __construct(
        private readonly mixed $stream,
        private readonly bool $quiet = false,
        private int $windows = 0,
    ) {
        $this->terminal = stream_isatty($stream);
        $this->begin = microtime(true);
    }

    public function expect(int $windows): void
    {
        $this->windows = $windows;
    }

    public function say(string $text): void
    {
        $this->write($text, true);
    }

    public function window(string $chart, string $subject): void
    {
        ++$this->done;
        if (!$this->terminal && $chart === $this->chart) {
            return;
        }
        $this->chart = $chart;
        $elapsed = microtime(true) - $this->begin;
        $left = $this->done < 5 ? '' : \sprintf(', %s left', self::time($elapsed / $this->done * max(0, $this->windows - $this->done)));
        $this->write(\sprintf('%d of %d windows%s: %s %s', $this->done, $this->windows, $left, $chart, $this->terminal ? $subject : ''), !$this->terminal);
    }

    /** Windows that will not be, since their cell is over. */
    public function skip(int $windows): void
    {
        $this->windows -= $windows;
    }

    public function end(): void
    {
        if ($this->terminal && !$this->quiet) {
            fwrite($this->stream, "\r\e[K");
        }
    }

    private function write(string $text, bool $keep): void
    {
        if (!$this->quiet) {
            fwrite($this->stream, ($this->terminal ? "\r\e[K" : '') . 'larder-bench: ' . rtrim($text) . ($keep ? "\n" : ''));
        }
    }

    private static function time(float $seconds): string
    {
        return \sprintf('%d:%02d', intdiv((int) $seconds, 60), (int) $seconds % 60);
    }
}
