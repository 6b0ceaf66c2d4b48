<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * How nginx answers out of files with another status than 200. Nothing, for a site with another store: memcached brings
 * the status along.
 *
 * It is looked for after the page itself, so a hit costs nothing, and a miss four looks for a file.
 *
 * @internal part of NginxConfig
 */
final readonly class NginxStatuses
{
    /** What stands for a redirect between two locations: nginx would add an empty Location to one. */
    private const LEADS = [301 => 418, 308 => 423];

    /** @param string $name starts the names of variables and locations */
    public function __construct(
        private Site $site,
        private string $name,
        private NginxFollowed $followed,
    ) {}

    public function isUsed(): bool
    {
        return $this->site->memcached === [] && $this->site->pageStore === null;
    }

    /**
     * What follows where neither a page nor a shell is found.
     *
     * @param int    $number of the area
     * @param string $way    the location for what is not there
     */
    public function next(int $number, string $way): string
    {
        return $this->isUsed()
            ? "error_page 404 = @{$this->name}_status_$number; # perhaps it is gone, or elsewhere\n"
                . "error_page 403 405 500 = $way;\n"
            : "error_page 403 404 405 500 = $way;\n";
    }

    /**
     * @param string       $settings of all locations with pages
     * @param list<string> $ways     the location for what is not there, by the number of its area
     */
    public function locations(string $settings, array $ways): string
    {
        if (!$this->isUsed()) {
            return '';
        }
        $settings = (string) preg_replace(
            ['/^#.*\n/m', '/^\n/m', '/^root .*\n/m', '/^(add_header .*);$/m'],
            ['', '', '', '$1 always;'],
            $settings,
        );
        $root = $this->followed->directory() . '/current' . PagePath::STATUS;
        $text = "# Pages that are gone or elsewhere. The look at the page itself has made its file of the URI.\n";
        foreach ($this->site->areas as $number => $area) {
            $looks = $pages = '';
            foreach (PagePath::STATUSES as $status) {
                $way = "@{$this->name}_status_{$number}_$status";
                $code = self::LEADS[$status] ?? null;
                $looks .= $code !== null
                    ? "if (-d $root$status\$uri) { return $code; }\nerror_page $code =$status $way;\n"
                    : "if (-f $root$status\$uri) { return $status; }\nerror_page $status $way;\n";
                $pages .= self::location($way, $settings . 'default_type ' . NginxText::literal($area->type) . ";\n"
                    . $this->found($status, $root . $status) . "error_page 403 404 405 500 = {$ways[$number]};\n");
            }
            $text .= self::location("@{$this->name}_status_$number", "log_not_found off;\nrecursive_error_pages on;\n"
                . $looks . "return 405;\nerror_page 403 405 500 = {$ways[$number]};\n") . $pages;
        }

        return $text . "\n";
    }

    private function found(int $status, string $root): string
    {
        return PagePath::leads($status)
            ? "root $root\$uri;\nif (\$request_method = POST) { return 405; }\n"
                . "if (\${$this->name}_to = \"\") { return 405; }\n"
                . "add_header Location \${$this->name}_to always;\nreturn 200 \"\"; # as what the status is kept for\n"
            : "root $root;\n";
    }

    private static function location(string $place, string $text): string
    {
        return "location $place {\n" . NginxText::indented($text) . "}\n";
    }
}
