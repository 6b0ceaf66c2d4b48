<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Role;

/** The page's HTML: the only way by which text gets into it, the ids within it, and the look of each subject. */
final readonly class Markup
{
    /** Contenders have --c0 to --c23; floors and ceilings a grey, --c24. */
    private const COLOURS = 24;

    /**
     * @param array<string, string>          $charts ids by chart
     * @param array<string, string>          $tests  ids by test
     * @param array<string, array{int, int}> $looks  colour and dash by subject
     */
    private function __construct(
        private array $charts,
        private array $tests,
        private array $looks,
    ) {}

    public static function for(Document $document): self
    {
        $charts = $tests = [];
        foreach ($document->charts as $chart) {
            $tests[$chart->test] ??= self::made('t', \count($tests) + 1, $chart->test);
            $charts[$chart->id] ??= self::made('c', \count($charts) + 1, $chart->id);
        }

        return new self($charts, $tests, self::looks($document));
    }

    public function chartId(string $chart): string
    {
        return $this->charts[$chart] ?? 'guide';
    }

    public function testId(Chart $chart): string
    {
        return $this->tests[$chart->test] ?? 'guide';
    }

    /** @return array{int, int} */
    public function look(string $subject): array
    {
        return $this->looks[$subject] ?? [self::COLOURS, 0];
    }

    /** A piece of its line, for beside its name. */
    public function key(string $subject): string
    {
        return \sprintf('<i class="k c%d d%d"></i>', ...$this->look($subject));
    }

    /** As text or as an attribute's value in double quotes. */
    public static function text(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE | ENT_DISALLOWED | ENT_HTML5, 'UTF-8');
    }

    public static function element(string $name, string $text, string $class = ''): string
    {
        return \sprintf(
            '<%s%s>%s</%s>',
            $name,
            $class === '' ? '' : ' class="' . $class . '"',
            self::text($text),
            $name,
        );
    }

    /** For a data block: nothing in it can end the element. */
    public static function json(mixed $value): string
    {
        return json_encode(
            $value,
            JSON_THROW_ON_ERROR | JSON_HEX_TAG | JSON_HEX_AMP | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE,
        );
    }

    /**
     * A table that scrolls by itself where it is too wide.
     *
     * @param list<string> $head plain text
     * @param list<string> $rows ready-made
     */
    public static function table(string $label, array $head, array $rows, string $class = ''): string
    {
        $cells = implode(
            '',
            array_map(static fn(string $name): string => '<th scope="col">' . self::text($name) . '</th>', $head),
        );

        return \sprintf(
            '<div class="scroll" role="region" aria-label="%s" '
                . 'tabindex="0"><table%s><thead><tr>%s</tr></thead><tbody>%s</tbody></table></div>',
            self::text($label),
            $class === '' ? '' : ' class="' . $class . '"',
            $cells,
            implode('', $rows),
        );
    }

    /** The frame around the report: one file with its style, its scripts and its data, that may fetch nothing. */
    public static function page(string $directory, string $title, string $contents, string $body, string $data): string
    {
        $theme = self::file($directory, 'theme.js');
        $uplot = \sprintf(
            "/*!\nuPlot %s\n\n%s*/\n%s",
            self::file($directory, 'uplot/VERSION'),
            self::file($directory, 'uplot/LICENSE'),
            self::file($directory, 'uplot/uPlot.iife.min.js'),
        );
        $script = self::file($directory, 'report.js');

        return strtr(self::file($directory, 'template.html'), [
            '{{policy}}' => \sprintf(
                "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
                    . "script-src %s",
                implode(' ', array_map(self::hash(...), [$theme, $uplot, $script])),
            ),
            '{{title}}' => self::text($title),
            '{{style}}' => self::file($directory, 'uplot/uPlot.min.css') . "\n" . self::file($directory, 'report.css'),
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

    private static function file(string $directory, string $name): string
    {
        $content = @file_get_contents($directory . '/' . $name);

        return $content === false
            ? throw new \LogicException(
                \sprintf('%s/%s is missing: it is a part of this package.', $directory, $name),
            )
            : $content;
    }

    /**
     * One look for a subject in the whole report: a colour of the style sheet and a dash.
     *
     * @return array<string, array{int, int}>
     */
    private static function looks(Document $document): array
    {
        $looks = [];
        $contenders = $others = 0;
        foreach ($document->subjects as $sheet) {
            if ($sheet->role === Role::Contender) {
                $looks[$sheet->subject] = [$contenders % self::COLOURS, intdiv($contenders, self::COLOURS) % 3];
                ++$contenders;
            } elseif ($sheet->role !== Role::Twin) {
                $looks[$sheet->subject] = [self::COLOURS, $others++ % 3];
            }
        }
        foreach ($document->subjects as $sheet) {
            // A twin looks like the one it doubles, but dotted.
            $looks[$sheet->subject] ??= [$looks[(string) strstr($sheet->subject, '#', true)][0] ?? self::COLOURS, 2];
        }

        return $looks;
    }

    /** Made of what is in a name, and numbered, so that no name can break out of an id. */
    private static function made(string $kind, int $number, string $name): string
    {
        return $kind . $number . '-' . trim((string) preg_replace('/[^a-z0-9]+/', '-', strtolower($name)), '-');
    }
}
