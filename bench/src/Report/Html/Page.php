<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

/** The frame around the report: one file with its style, its scripts and its data, that may fetch nothing. */
final readonly class Page
{
    public function __construct(private string $directory) {}

    public function render(string $title, string $contents, string $body, string $data): string
    {
        $theme = $this->file('theme.js');
        $uplot = \sprintf(
            "/*!\nuPlot %s\n\n%s*/\n%s",
            $this->file('uplot/VERSION'),
            $this->file('uplot/LICENSE'),
            $this->file('uplot/uPlot.iife.min.js'),
        );
        $script = $this->file('report.js');

        return strtr($this->file('template.html'), [
            '{{policy}}' => \sprintf(
                "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
                    . "script-src %s",
                implode(' ', array_map(self::hash(...), [$theme, $uplot, $script])),
            ),
            '{{title}}' => Tag::text($title),
            '{{style}}' => $this->file('uplot/uPlot.min.css') . "\n" . $this->file('report.css'),
            '{{theme}}' => $theme,
            '{{contents}}' => $contents,
            '{{body}}' => $body,
            '{{data}}' => $data,
            '{{uplot}}' => $uplot,
            '{{script}}' => $script,
        ]);
    }

    /** Only these scripts run, whatever got into the page beside them. */
    private static function hash(string $script): string
    {
        return "'sha256-" . base64_encode(hash('sha256', $script, true)) . "'";
    }

    private function file(string $name): string
    {
        $content = @file_get_contents($this->directory . '/' . $name);

        return $content === false
            ? throw new \LogicException(
                \sprintf('%s/%s is missing: it is a part of this package.', $this->directory, $name),
            )
            : $content;
    }
}
