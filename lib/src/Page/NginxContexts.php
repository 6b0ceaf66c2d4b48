<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * How nginx finds a visitor's context, in the variable `$larder_SITE_context`; empty: anonymous. Nothing, for a site
 * without contexts.
 *
 * nginx has one `$secure_link` in a request, and the site's own locations may use it for links of their own. So it
 * counts only if it was computed by the directives of settings(): they alone make nginx read the map `proof`, which
 * takes the context out of the cookie.
 *
 * @internal part of NginxConfig
 */
final readonly class NginxContexts
{
    /** @param string $name of the upstream of PHP; starts the names of variables */
    public function __construct(
        private ?Contexts $contexts,
        private string $name,
    ) {}

    /** For the http context. */
    public function maps(): string
    {
        if ($this->contexts === null) {
            return '';
        }
        $variable = '$' . $this->name . '_';

        return "\n# The context of a visitor: that of the cookie, if it is there once, in its one form, and signed.\n"
            . NginxText::map('$http_cookie', $variable . 'signed', [
                'default' => '""',
                NginxText::expression($this->contexts->twice()) => '""',
                NginxText::expression($this->contexts->expression($this->name . '_'))
                    => "\"{$variable}seal,{$variable}ends\"",
            ])
            . "# The secrets, which larder contexts:secret makes and larder contexts:revoke replaces.\n"
            . NginxText::map($variable . 'made', $variable . 'secret', [
                'default' => '""',
                'include' => $this->contexts->secrets,
            ])
            . "# Nothing but Larder's own secure_link_md5 reads it, and with a secret that is accepted.\n"
            . NginxText::map("\"{$variable}secret:{$variable}text\"", $variable . 'proof', [
                'default' => '""',
                NginxText::expression("^[0-9a-f]{64}:(?<{$this->name}_read>.+)$") => '""',
            ])
            . NginxText::map("\"\$secure_link:{$variable}read\"", $variable . 'context', [
                'default' => '""',
                '"~^1:."' => $variable . 'read',
            ]);
    }

    /** For each location where the variable is used, in it or above it. */
    public function settings(): string
    {
        $variable = '$' . $this->name . '_';

        return $this->contexts === null
            ? ''
            : "secure_link {$variable}signed;\n"
                . "secure_link_md5 \"{$variable}secret{$variable}ends|{$variable}text|{$variable}made|"
                . "{$variable}secret{$variable}proof\";\n";
    }

    /** For the ways to PHP. */
    public function parameter(): string
    {
        return $this->contexts === null
            ? ''
            : 'fastcgi_param ' . Context::PARAMETER . " \"\${$this->name}_context\";\n";
    }
}
