<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

/**
 * How far the run is, on standard error: one line that is overwritten, or a line per chart where there is no terminal.
 */
final class Progress
{
    private readonly bool $terminal;
    private int $charts = 0;
    private int $number = 0;
    private int $windows = 0;
    private int $done = 0;
    private string $chart = '';

    /** @param resource $stream */
    public function __construct(
        private readonly mixed $stream,
        private readonly bool $quiet = false,
    ) {
        $this->terminal = stream_isatty($stream);
    }

    /** @param int $charts of the whole run */
    public function expect(int $charts): void
    {
        $this->charts = $charts;
    }

    public function say(string $text): void
    {
        $this->write($text, true);
    }

    /** @param int $windows at most */
    public function chart(string $chart, int $windows): void
    {
        ++$this->number;
        $this->chart = $chart;
        $this->windows = $windows;
        $this->done = 0;
        if (!$this->terminal) {
            $this->write(\sprintf('chart %d of %d: %s', $this->number, $this->charts, $chart), true);
        }
    }

    public function window(string $subject): void
    {
        ++$this->done;
        if ($this->terminal) {
            $text = \sprintf(
                'chart %d of %d, window %d of at most %d: %s %s',
                $this->number,
                $this->charts,
                $this->done,
                $this->windows,
                $this->chart,
                $subject,
            );
            $this->write($text, false);
        }
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
            fwrite(
                $this->stream,
                ($this->terminal ? "\r\e[K" : '') . 'larder-bench: ' . rtrim($text) . ($keep ? "\n" : ''),
            );
        }
    }
}
