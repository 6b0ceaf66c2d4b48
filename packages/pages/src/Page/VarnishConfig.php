<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Edge\VarnishEdge;
use Larder\Page\Exception\InvalidSite;

/**
 * VCL for Varnish in front of the site, with vmod_xkey of the package varnish-modules. It keeps what carries the site's
 * edge headers and nothing else, and takes purges of a VarnishEdge: who purges has its secret, an address that is named
 * here, or both. No address may by default: behind that of this machine may be a terminator of TLS, which passes on
 * what visitors ask.
 *
 * @internal
 */
final readonly class VarnishConfig
{
    /**
     * @param string       $backend nginx: `10.0.0.1:80`, or `unix:/run/site.sock`
     * @param list<string> $purgers addresses of the hosts with PHP, which alone may purge; empty: all that have the
     *     secret of the site's VarnishEdge
     *
     * @throws InvalidSite if the site has no edge, nobody could purge, or Varnish cannot be given a value
     */
    public function __construct(
        private Site $site,
        private string $backend,
        private array $purgers = [],
    ) {
        if ($site->serving->edge === null) {
            throw InvalidSite::because('edge: the site has none that could keep pages');
        }
        if ($purgers === [] && $this->secret() === null) {
            throw InvalidSite::because(
                'edge: nobody could purge. Give VarnishEdge a secret, or name the hosts with PHP by --purger',
            );
        }
        foreach ($purgers as $purger) {
            if (filter_var($purger, FILTER_VALIDATE_IP) === false) {
                throw InvalidSite::because(\sprintf('purgers: "%s" is no IP address', $purger));
            }
        }
    }

    /** A whole VCL file. */
    public function whole(): string
    {
        $keys = $this->site->serving->edgeHeaders()->keys;
        $control = $this->site->serving->edgeHeaders()->control;
        $sessions = $this->sessions();

        return <<<VCL
            # Larder: {$this->site->name}
            vcl 4.1;

            import std;
            import xkey;

            backend larder {
                {$this->backend()}
            }

            {$this->acl()}sub vcl_recv {
                if (req.method == "PURGE") {
                    if ({$this->strangers()}!req.http.xkey-purge) {
                        return (synth(405));
                    }
                    xkey.purge(req.http.xkey-purge);
                    return (synth(200, "Purged"));
                }
                # What only edge and web server tell each other.
                unset req.http.xkey-purge;
                unset req.http.xkey-secret;
                unset req.http.{$keys};
                unset req.http.{$control};
                unset req.http.Surrogate-Capability;
                if (!req.http.host || (req.method != "GET" && req.method != "HEAD")
                    || req.http.Authorization || req.http.Cookie ~ "{$sessions}") {
                    return (pass);
                }
                set req.http.host = std.tolower(req.http.host);
                # Other cookies are in no page, and a page with a context of the visitor is not kept.
                return (hash);
            }

            sub vcl_backend_response {
                # Nothing is served after its time, and nothing that was purged.
                set beresp.grace = 0s;
                set beresp.keep = 0s;
                if (beresp.http.{$control} ~ "^max-age=[1-9][0-9]*$" && beresp.http.{$keys}
                    && !beresp.http.Set-Cookie && beresp.status != 206) {
                    set beresp.ttl = std.duration(regsub(beresp.http.{$control}, "^max-age=", "") + "s", 0s);
                    set beresp.http.xkey = {$this->keys()};
                } else {
                    # Requests for it do not wait for each other.
                    set beresp.uncacheable = true;
                    set beresp.ttl = 120s;
                }
                return (deliver);
            }

            sub vcl_deliver {
                unset resp.http.xkey;
                unset resp.http.{$keys};
                unset resp.http.{$control};
                if (obj.hits > 0) {
                    set resp.http.Cache-Status = resp.http.Cache-Status + ", varnish; hit";
                }
                return (deliver);
            }
            VCL . "\n";
    }

    private function secret(): ?string
    {
        $edge = $this->site->serving->edge;

        return $edge instanceof VarnishEdge ? $edge->secret : null;
    }

    private function acl(): string
    {
        $purgers = array_map(static fn(string $ip): string => "    \"$ip\";\n", $this->purgers);

        return $purgers === [] ? '' : "acl larder_purgers {\n" . implode($purgers) . "}\n\n";
    }

    /** Conditions of who may not purge, with an operator behind each. */
    private function strangers(): string
    {
        return ($this->purgers === [] ? '' : 'client.ip !~ larder_purgers || ')
            . ($this->secret() === null ? '' : "req.http.xkey-secret != \"{$this->secret()}\" || ");
    }

    private function backend(): string
    {
        if (preg_match('~^unix:(/[A-Za-z0-9._/-]+)$~D', $this->backend, $found) === 1) {
            return ".path = \"{$found[1]}\";";
        }
        if (preg_match('~^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):([1-9][0-9]{0,4})$~D', $this->backend, $found) !== 1) {
            throw InvalidSite::because(\sprintf('backend: Varnish cannot be given "%s"', $this->backend));
        }

        return '.host = "' . trim($found[1], '[]') . "\";\n    .port = \"{$found[2]}\";";
    }

    /** vmod_xkey wants spaces. */
    private function keys(): string
    {
        $header = 'beresp.http.' . $this->site->serving->edgeHeaders()->keys;

        $headers = $this->site->serving->edgeHeaders();

        return $headers->separator() === ' ' ? $header : "regsuball({$header}, \",\", \" \")";
    }

    /** Finds the site's session cookies, in the way of nginx. */
    private function sessions(): string
    {
        $names = array_map(
            static fn(string $name): string => str_ends_with($name, '*')
                ? self::quoted(substr($name, 0, -1)) . '[^=;,]*'
                : self::quoted($name),
            $this->site->visitors->sessionCookies,
        );

        return $names === [] ? '^(?!)$' : '(?i)(^|[;,]) *(' . implode('|', $names) . ') *= *[^; ]';
    }

    /** VCL has no escapes in a string; a class of one character needs none. */
    private static function quoted(string $name): string
    {
        return (string) preg_replace('/[^A-Za-z0-9_-]/', '[$0]', $name);
    }
}
