<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\InvalidSite;

/**
 * The ways from nginx to php-fpm: with the page's key and almost nothing else, or with the whole request and no key.
 *
 * @internal part of NginxConfig
 */
final readonly class NginxPhp
{
    /** The client could choose absolute links by Host. Proxy becomes HTTP_PROXY, which HTTP clients obey. */
    private const NEVER_PASSED = ['host', 'proxy'];

    /** PHP gets no header of the client; nginx 1.30 passes Host all the same unless something else is in its place. */
    private const HEADERS_OFF = "fastcgi_pass_request_headers off;\nfastcgi_param HTTP_HOST \"\";\n";

    private NginxContexts $contexts;

    /**
     * @param string $name of the upstream; starts the names of variables and locations
     *
     * @param string $down where a request for a page goes that PHP does not answer
     *
     * @throws InvalidSite if the site passes a header that must not be passed
     */
    public function __construct(
        private Site $site,
        private NginxTarget $target,
        private string $name,
        private string $down,
    ) {
        $this->contexts = new NginxContexts($site->contexts, $name);
        foreach ($site->passHeaders as $name) {
            if (\in_array(strtolower($name), self::NEVER_PASSED, true)) {
                throw InvalidSite::because(
                    \sprintf('passHeaders: "%s" is never passed to a render that could be stored', $name),
                );
            }
        }
    }

    /** @param bool $kept whether there are areas whose pages are made for visitors with a session too */
    public function locations(bool $kept): string
    {
        $keyed = [$this->keyed('keyed'), ...($kept ? [$this->kept()] : [])];

        return implode("\n", [...$keyed, $this->bypass(), $this->down()]);
    }

    /** A request for a script that is not there: php-fpm answers it by itself. */
    public function ping(): string
    {
        return "fastcgi_pass {$this->name};\n"
            . "fastcgi_connect_timeout 1s;\n"
            . "fastcgi_read_timeout 5s;\n"
            . "fastcgi_intercept_errors off;\n"
            . self::HEADERS_OFF
            . "fastcgi_pass_request_body off;\n"
            . "error_page 502 503 504 = @{$this->name}_down;\n"
            . self::parameter('REQUEST_METHOD', 'GET')
            . self::parameter('SCRIPT_FILENAME', '/larder-doctor.php');
    }

    /**
     * What asks PHP for a part.
     *
     * @param string $key     empty: it cannot be stored
     * @param bool   $private PHP gets the visitor's headers, with the cookies
     */
    public function part(string $key, bool $private): string
    {
        $headers = self::HEADERS_OFF;
        if ($private) {
            $headers = '';
            foreach (['PROXY', 'ACCEPT_ENCODING', 'RANGE', 'IF_RANGE', 'IF_MATCH', 'IF_NONE_MATCH',
                'IF_MODIFIED_SINCE', 'IF_UNMODIFIED_SINCE'] as $header) {
                $headers .= self::parameter('HTTP_' . $header, '');
            }
            $headers .= self::parameter('REMOTE_ADDR', '$remote_addr') . self::parameter('REMOTE_PORT', '$remote_port');
        }

        return $this->pass(null)
            . "gzip off;\nssi off;\ncharset off;\n"
            . $headers
            . "fastcgi_pass_request_body off;\n"
            . $this->fixed()
            . self::parameter('REQUEST_METHOD', 'GET')
            . self::parameter('SERVER_PROTOCOL', 'HTTP/1.1')
            . self::parameter('REQUEST_URI', '$uri')
            . self::parameter('QUERY_STRING', '')
            . self::parameter(PageRequest::KEY, $key)
            . self::parameter(PageRequest::PART, '$uri')
            . self::parameter(PageRequest::ENCODING, '');
    }

    private function keyed(string $way, string $more = ''): string
    {
        $passed = '';
        foreach (array_unique(array_map(strtolower(...), $this->site->passHeaders)) as $name) {
            $name = strtr($name, '-', '_');
            $passed .= rtrim(self::parameter('HTTP_' . strtoupper($name), '$http_' . $name), ";\n")
                . " if_not_empty;\n";
        }

        return "# A page that could be stored. PHP gets only what is part of the key, so nothing else can be in it.\n"
            . "location @{$this->name}_{$way} {\n"
            . NginxText::indented(
                $this->pass($this->down)
                . $more
                . "gzip off;\nssi off;\ncharset off;\n"
                . self::HEADERS_OFF
                . "fastcgi_pass_request_body off;\n"
                . ($this->down === "@{$this->name}_down" ? '' : "recursive_error_pages on;\n")
                . "fastcgi_ignore_client_abort on; # the page is useful even if this client has gone\n"
                . $this->fixed()
                . self::parameter('REQUEST_METHOD', 'GET')
                . self::parameter('SERVER_PROTOCOL', 'HTTP/1.1')
                . self::parameter('REQUEST_URI', "\${$this->name}_uri")
                . self::parameter('QUERY_STRING', "\${$this->name}_args")
                . self::parameter(PageRequest::KEY, "\${$this->name}_page")
                . self::parameter(PageRequest::ENCODING, "\${$this->name}_gzip")
                . $this->whole()
                . $passed,
            )
            . "}\n";
    }

    /** An area that ignores cookies. A render that starts a session would give this visitor another one. */
    private function kept(): string
    {
        return $this->keyed('kept', "fastcgi_hide_header Set-Cookie; # this visitor keeps the session that he has\n");
    }

    private function bypass(): string
    {
        return "# Everything else. PHP gets the whole request and no key, so nothing is stored.\n"
            . "location @{$this->name}_bypass {\n"
            . NginxText::indented(
                $this->pass("@{$this->name}_down")
                . ($this->site->parts === [] ? '' : "ssi off; # here PHP itself puts the parts in\n")
                . $this->fixed()
                . self::parameter('REQUEST_URI', '$request_uri')
                . self::parameter('QUERY_STRING', '$args')
                . self::parameter('REQUEST_METHOD', '$request_method')
                . self::parameter('SERVER_PROTOCOL', '$server_protocol')
                . self::parameter('CONTENT_TYPE', '$content_type')
                . self::parameter('CONTENT_LENGTH', '$content_length')
                . self::parameter('REMOTE_ADDR', '$remote_addr')
                . self::parameter('REMOTE_PORT', '$remote_port')
                . self::parameter('SERVER_ADDR', '$server_addr')
                . self::parameter('SERVER_PORT', '$server_port')
                . self::parameter(PageRequest::KEY, '')
                . self::parameter(PageRequest::ENCODING, "\${$this->name}_gzip")
                . self::parameter('HTTP_PROXY', '')
                . NginxEdge::hidden($this->site),
            )
            . "}\n";
    }

    private function down(): string
    {
        return "# php-fpm is stopped, overloaded or too slow.\n"
            . "location @{$this->name}_down {\n"
            . NginxText::indented(
                "default_type \"text/plain; charset=utf-8\";\n"
                . "add_header Retry-After \"5\" always;\n"
                . "add_header Cache-Control \"no-store\" always;\n"
                . "add_header Cache-Status 'larder; fwd=miss; detail=\"no answer from PHP\"' always;\n"
                . self::siteHeaders($this->site)
                . "return 503 \"The site cannot make this page just now. Please try again in a few seconds.\\n\";\n",
            )
            . "}\n";
    }

    /** Tells PHP that nginx puts parts in, and where PHP is asked for a page with its parts. */
    private function whole(): string
    {
        return $this->site->parts === [] ? '' : self::parameter(PageRequest::WHOLE, "@{$this->name}_bypass");
    }

    /** @param string|null $down where a request goes that PHP does not answer; null: no visitor is told */
    private function pass(?string $down): string
    {
        $hidden = "fastcgi_hide_header X-Powered-By;\n";
        foreach (array_keys($this->site->headers) as $name) {
            $hidden .= "fastcgi_hide_header {$name};\n";
        }

        return "fastcgi_pass {$this->name};\n"
            . "fastcgi_connect_timeout 1s;\n"
            . "fastcgi_send_timeout 5s;\n"
            . "fastcgi_read_timeout 30s;\n"
            . "fastcgi_buffer_size 16k;\n"
            . "fastcgi_buffers 32 16k;\n"
            . "expires off;\n"
            . "fastcgi_cache off; # it would keep what a change has ended\n"
            . "fastcgi_store off;\n"
            . ($down === null ? '' : "fastcgi_intercept_errors off;\nerror_page 502 503 504 = {$down};\n")
            . $hidden
            . "add_header X-Larder \"\"; # an add_header here keeps out the server's, which are for hits\n"
            . self::siteHeaders($this->site);
    }

    private function fixed(): string
    {
        return self::parameter('SCRIPT_FILENAME', $this->target->script)
            . self::parameter('SCRIPT_NAME', rtrim($this->site->path, '/') . '/' . basename($this->target->script))
            . self::parameter('DOCUMENT_ROOT', $this->target->public ?? \dirname($this->target->script))
            . self::parameter('GATEWAY_INTERFACE', 'CGI/1.1')
            . $this->contexts->settings()
            . $this->contexts->parameter()
            . self::parameter('SERVER_SOFTWARE', 'nginx')
            . self::parameter('SERVER_NAME', $this->site->hosts[0])
            . self::parameter('REQUEST_SCHEME', $this->target->https ? 'https' : 'http')
            . ($this->target->https ? self::parameter('HTTPS', 'on') : '');
    }

    /** @param string $always empty for hits: with `always`, nginx adds them twice to a 416 */
    public static function siteHeaders(Site $site, string $always = ' always'): string
    {
        $lines = '';
        foreach ($site->headers as $name => $value) {
            $lines .= "add_header {$name} " . NginxText::literal($value) . "{$always};\n";
        }

        return $lines;
    }

    private static function parameter(string $name, string $value): string
    {
        return "fastcgi_param {$name} \"{$value}\";\n";
    }
}
