<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Report\Figures;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Published;
use Larder\Bench\Result\Sheet;

/** On what terms, on what machine, and how to make it again. */
final readonly class Appendix
{
    public function render(Document $document): string
    {
        return $this->sheets($document) . $this->environment($document) . $this->published($document)
            . '<section id="again"><h2>To make this again</h2><pre tabindex="0">' . Markup::text($document->command)
                . '</pre><p class="hint">This page holds what is drawn. The result file has every window and '
                . 'histogram; <code>larder-bench report --format=csv</code> makes a table of the '
                . 'windows.</p></section>';
    }

    private function sheets(Document $document): string
    {
        if ($document->subjects === []) {
            return '';
        }
        $sheets = implode('', array_map(static fn(Sheet $sheet): string => \sprintf(
            '<div class="sheet"><h3>%s%s</h3><p class="hint">%s</p><dl>%s</dl></div>',
            Markup::text($sheet->subject),
            $sheet->role->label() === '' ? '' : ' <small>' . Markup::text($sheet->role->label()) . '</small>',
            Markup::text($sheet->title),
            implode('', array_map(
                static fn(string $term, string $value): string => '<div>' . Markup::element('dt', $term)
                    . Markup::element('dd', $value)
                    . '</div>',
                array_map(strval(...), array_keys($sheet->terms)),
                array_values($sheet->terms),
            )),
        ), $document->subjects));

        return '<section id="terms"><h2>On what terms</h2><p class="hint">How each subject was set up: differences '
            . 'here are differences in the figures.</p><div class="groups sheets">'
            . $sheets . '</div></section>';
    }

    private function environment(Document $document): string
    {
        $groups = '';
        foreach ($document->environment as $name => $value) {
            $groups .= \sprintf('<div><h3>%s</h3>%s</div>', Markup::text((string) $name), $this->value($value));
        }

        return $groups === ''
            ? ''
            : '<section id="environment"><h2>Environment</h2><div class="groups">' . $groups . '</div></section>';
    }

    private function value(mixed $value): string
    {
        if (!\is_array($value)) {
            return '<span>' . Markup::text(match (true) {
                \is_bool($value) => $value ? 'yes' : 'no',
                \is_scalar($value) => (string) $value,
                default => Figures::NONE,
            }) . '</span>';
        }
        if (array_is_list($value)) {
            return $value === []
                ? Figures::NONE
                : '<span>' . implode(', ', array_map($this->value(...), $value)) . '</span>';
        }
        $entries = '';
        foreach ($value as $name => $entry) {
            $entries .= '<div><dt>' . Markup::text((string) $name) . '</dt><dd>' . $this->value($entry) . '</dd></div>';
        }

        return '<dl>' . $entries . '</dl>';
    }

    private function published(Document $document): string
    {
        $texts = implode('', array_map(static fn(Published $published): string => \sprintf(
            '<h3>%s</h3><pre tabindex="0">%s</pre><p class="hint">%s</p>',
            Markup::text($published->title),
            Markup::text($published->text),
            Markup::text($published->remark),
        ), $document->published));

        return $texts === ''
            ? ''
            : '<section id="published"><h2>As published</h2><p class="hint">The same tests in the layouts of their '
                . 'sources, with what those layouts hide.</p>'
                . $texts . '</section>';
    }
}
