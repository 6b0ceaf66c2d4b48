<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Report\Figures;
use Larder\Bench\Report\Summary;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Published;
use Larder\Bench\Result\Sheet;

/** What the page tells of the run itself: its header, above the figures, and its appendix, below them. */
final readonly class RunSections
{
    /** What must be read before any figure: what this is, whether it can be relied on, what it cannot tell. */
    public function header(Document $document): string
    {
        $banners = '';
        if ($document->isReliable() === false) {
            $banners .= '<p class="banner bad" role="alert"><b>TOO NOISY TO SAY</b> '
                . Markup::text(Summary::check($document)) . '</p>';
        }
        if (!$document->complete) {
            $banners .= '<p class="banner warn" role="alert"><b>INTERRUPTED</b> This run was ended before its time; '
                . 'it holds what was finished until then.</p>';
        }

        return \sprintf(
            '<header><p class="eyebrow">larder-bench</p><h1>%s</h1><p class="lead">Clients, stores, serializers and '
                . 'pages of PHP caches, measured against each other on one machine. All subjects of a chart take '
                . 'short turns within each block, in fresh processes and shuffled order; they are compared block by '
                . 'block. %s A subject that gave one wrong reply has no number there and ranks '
                . 'nowhere.</p>%s%s%s</header>',
            Markup::text($this->title($document)),
            Summary::isAllChecked($document)
                ? 'Every reply is checked, but those of a floor.'
                : 'How many replies are checked, and how, stands above each chart; those of a floor are not.',
            $banners,
            $this->facts($document),
            $this->limits($document),
        );
    }

    public function title(Document $document): string
    {
        return \sprintf('PHP cache benchmark, %s profile', $document->profile);
    }

    private function facts(Document $document): string
    {
        $cells = Summary::cells($document);
        $cores = Summary::environment($document, 'machine.cores');
        $check = match ($document->isReliable()) {
            null => ['none', 'this run has no pair to show it', 'warn'],
            true => ['held', 'one client under two names: equal, within 5 %', 'good'],
            false => ['FAILED', 'this run is too noisy to say', 'bad'],
        };
        $faults = Summary::faultsByState($document);

        return '<dl class="facts">'
            . self::fact('A/A check', ...$check)
            . self::fact(
                'Cells',
                $cells['measured'] . ' measured',
                implode(
                    ', ',
                    array_filter(
                        [$faults === '' ? null : $faults, $cells['absent'] === 0 ? null : $cells['absent'] . ' n/a'],
                        is_string(...),
                    ),
                ),
                detail: $faults === '' ? '' : ' bad',
            )
            . self::fact(
                'Run',
                $document->complete ? 'complete' : 'INTERRUPTED',
                \sprintf('%s, in %s', self::date($document->started), Figures::duration($document->seconds)),
                $document->complete ? '' : 'warn',
            )
            . self::fact(
                'Machine',
                $cores === null ? 'not told' : Figures::count((int) $cores, 'core'),
                implode(
                    ', ',
                    array_filter(
                        [
                            Summary::environment($document, 'machine.cpu'),
                            ($php = Summary::environment($document, 'php.version')) === null ? null : 'PHP ' . $php,
                        ],
                        is_string(...),
                    ),
                ),
            )
            . '</dl>'
            . (
                $document->isReliable() === true
                    ? '<p class="hint">' . Markup::text(Summary::check($document)) . '</p>'
                    : ''
            );
    }

    private static function fact(
        string $name,
        string $value,
        string $text,
        string $class = '',
        string $detail = '',
    ): string {
        return \sprintf(
            '<div><dt>%s</dt><dd%s>%s</dd><dd class="detail%s">%s</dd></div>',
            Markup::text($name),
            $class === '' ? '' : ' class="' . $class . '"',
            Markup::text($value),
            $detail,
            Markup::text($text),
        );
    }

    private function limits(Document $document): string
    {
        return $document->limits === []
            ? ''
            : '<section class="limits"><h2>What this run cannot tell</h2><ul>'
                . implode(
                    '',
                    array_map(static fn(string $limit): string => Markup::element('li', $limit), $document->limits),
                )
                . '</ul></section>';
    }

    /** "2025-11-21 09:00" of the RFC 3339 time, whose zone is in the environment of who reads it anyway. */
    private static function date(string $started): string
    {
        return preg_match('/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/', $started, $match) === 1
            ? $match[1] . ' ' . $match[2]
            : $started;
    }

    /** On what terms, on what machine, and how to make it again. */
    public function appendix(Document $document): string
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
