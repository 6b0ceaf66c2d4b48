<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

/** What the page's script draws: every plot's numbers, ready to be drawn, and the box that is kept free for it. */
final class Plots
{
    /** @var list<array<string, mixed>> */
    private array $plots = [];

    /** @param array<string, mixed> $plot */
    public function box(array $plot, string $label): string
    {
        $this->plots[] = $plot;

        return \sprintf(
            '<div class="plot" data-plot="%d" role="img" aria-label="%s"></div>',
            \count($this->plots) - 1,
            Tag::text($label),
        );
    }

    public function json(): string
    {
        return Tag::json(['shares' => Spectrum::shares(), 'plots' => $this->plots]);
    }

    /** Three digits are more than a screen has pixels for. */
    public static function rounded(?float $value): ?float
    {
        return $value === null || $value === 0.0 ? $value : (float) \sprintf('%.4g', $value);
    }
}
