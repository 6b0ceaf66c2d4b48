<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Document;

/** A run as one HTML file that opens anywhere, offline. Its scripts build the page out of the figures in it. */
final readonly class HtmlReport
{
    public function render(Document $document): string
    {
        $scripts = [
            '{{theme}}' => self::file('theme.js'),
            '{{page}}' => self::file('page.js'),
            '{{uplot}}' => \sprintf(
                "/*!\nuPlot %s\n\n%s*/\n%s",
                self::file('uplot/VERSION'),
                self::file('uplot/LICENSE'),
                self::file('uplot/uPlot.iife.min.js'),
            ),
            '{{script}}' => self::file('report.js'),
        ];

        return strtr(self::file('template.html'), [
            // Only these scripts run, whatever got into the page beside them.
            '{{policy}}' => "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
                . "form-action 'none'; script-src "
                . implode(' ', array_map(self::hash(...), $scripts)),
            '{{title}}' => htmlspecialchars(
                \sprintf('PHP cache benchmark, %s profile, %s', $document->profile, substr($document->started, 0, 10)),
                ENT_QUOTES | ENT_SUBSTITUTE | ENT_DISALLOWED | ENT_HTML5,
                'UTF-8',
            ),
            '{{style}}' => self::file('uplot/uPlot.min.css') . "\n" . self::file('report.css'),
            '{{data}}' => self::json(PageContent::of($document)),
            ...$scripts,
        ]);
    }

    /**
     * For a data block: no `<` and no `&` is left, so that nothing in it can end the element or begin a comment, and
     * no line separator, which ends a line of JavaScript.
     */
    private static function json(mixed $value): string
    {
        return json_encode(
            $value,
            JSON_THROW_ON_ERROR | JSON_HEX_TAG | JSON_HEX_AMP | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE
                | JSON_INVALID_UTF8_SUBSTITUTE,
        );
    }

    private static function hash(string $script): string
    {
        return "'sha256-" . base64_encode(hash('sha256', $script, true)) . "'";
    }

    private static function file(string $name): string
    {
        $file = \dirname(__DIR__, 2) . '/report/' . $name;
        $content = @file_get_contents($file);

        return $content === false
            ? throw new \LogicException(\sprintf('%s is missing: it is a part of this package.', $file))
            : $content;
    }
}
