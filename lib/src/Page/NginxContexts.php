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
