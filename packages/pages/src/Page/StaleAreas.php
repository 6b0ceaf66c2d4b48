<?php

declare(strict_types=1);

namespace Larder\Page;

/** @internal For how long the changed pages of each area may be served. */
final readonly class StaleAreas
{
    /** @param list<Area> $areas longest prefix first, as Urls::$areas has them */
    public function __construct(private array $areas = []) {}

    /** @return StaleSpan|null for a page; null: a change ends it at once */
    public function span(string $key): ?StaleSpan
    {
        // A key with a time bucket begins with `/@`, which is in no path.
        $path = explode('?', $key, 2)[0];
        foreach ($this->areas as $area) {
            if ($area->covers($path)) {
                return $area->stale === null || str_starts_with($path, '/@') ? null : new StaleSpan($area->stale);
            }
        }

        return null;
    }

    /** @return array<int, StaleSpan> those that are used, by their seconds */
    public function spans(): array
    {
        $spans = [];
        foreach ($this->areas as $area) {
            if ($area->stale !== null) {
                $spans[$area->stale] = new StaleSpan($area->stale);
            }
        }
        ksort($spans);

        return $spans;
    }
}
