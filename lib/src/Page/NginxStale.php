<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * The way of a request to a changed page that is still served. Nothing, for a site where no area has stale seconds.
 *
 * It is looked for after the page itself, so a hit costs nothing. A page that a process makes anew is served to all;
 * one that nobody makes yet is only served if PHP does not answer.
 *
 * @internal part of NginxConfig
 */
final readonly class NginxStale
{
    private const STATUS = '"larder; hit; detail=stale"';

    /** @var array<int, Area> with stale seconds, by number */
    private array $areas;

    /** Of variables. */
    private string $prefix;

    /** @param string $name starts the names of variables and locations */
    public function __construct(
        private Site $site,
        private string $name,
        private NginxMemcached $memcached,
    ) {
        $this->areas = array_filter($site->areas, static fn(Area $area): bool => $area->stale !== null);
        $this->prefix = '$' . $name . '_';
    }

    public function isUsed(): bool
    {
        return $this->areas !== [];
    }

    /** @return string a variable: where a request of this area goes if the page is not there */
    public function way(int $number): string
    {
        return isset($this->areas[$number]) ? "{$this->prefix}gone_{$number}" : $this->prefix . 'way';
    }

    /** @return string where a request for a page goes that PHP does not answer */
    public function down(): string
    {
        return $this->isUsed() ? $this->prefix . 'down' : "@{$this->name}_down";
    }

    /** @param string $settings of all locations with pages */
    public function locations(string $settings): string
    {
        $settings = str_replace(['"larder; hit"', '/current;'], [self::STATUS, ';'], $settings);
        $settings = (string) preg_replace(['/^#.*\n/m', '/^\n/m'], '', $settings);
        $text = '';
        foreach ($this->areas as $number => $area) {
            $span = new StaleSpan((int) $area->stale);
            $settingsOfArea = $settings . 'default_type ' . NginxText::literal($area->type) . ";\n";
            $text .= "# A changed page that one process makes anew, and one that nobody makes while PHP is down.\n"
                . self::location("@{$this->name}_stale_{$number}", $settingsOfArea
                    . $this->look($span, ['m'], $this->prefix . 'way'))
                . self::location("@{$this->name}_left_{$number}", $settingsOfArea
                    . $this->look($span, ['m', 'w'], "@{$this->name}_down"))
                . "\n";
        }

        return $text;
    }

    /** @param non-empty-list<string> $states */
    private function look(StaleSpan $span, array $states, string $last): string
    {
        $errors = "error_page 403 404 405 500 = {$last};\n";
        if ($this->site->memcached !== []) {
            return $errors . $this->memcached->fetchStale('~' . $states[\count($states) - 1], $this->prefix . 'page');
        }
        $files = '';
        for ($back = 0; $back < $span->count(); ++$back) {
            foreach ($states as $state) {
                $files .= "    /stale/{$span->seconds}/{$this->prefix}span_{$span->seconds}/{$back}/{$state}"
                    . "{$this->prefix}page" . PagePath::SUFFIX . "\n";
            }
        }

        return $errors . "try_files\n{$files}    {$last};\n";
    }

    private static function location(string $place, string $text): string
    {
        return "location {$place} {\n" . NginxText::indented($text) . "}\n";
    }
}
