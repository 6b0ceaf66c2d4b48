<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Page\Exception\InvalidSite;

/**
 * The site's nginx configuration. http() is for the http context and locations() for the site's own server block,
 * beside what else that has. server() is a server block for a site that has none, and whole() an nginx.conf.
 *
 * The text depends only on the arguments, and so does its hash(), which the loaded configuration tells at STATUS to who
 * asks from this machine. It gives the reasons beside the directives; docs/explanation/architecture.md describes the
 * way of a request.
 *
 * @internal
 */
final readonly class NginxConfig
{
    /** Behind the path of the site. No page can have this URI. */
    public const STATUS = NginxTemplates::PLACE;

    /** Asks php-fpm for a script that is not there, which it answers by itself: 404. */
    public const STATUS_OF_PHP = '/@larder/php';

    /**
     * Below the page directory. nginx tells paths and sockets to who names a file there, of 32 hexadecimal digits, in
     * the header `Larder-Asked`.
     */
    public const ASKED = '/asked';

    /** Headers that Larder or nginx sets. */
    private const RESERVED = [
        'accept-ranges', 'cache-control', 'cache-status', 'connection', 'content-encoding', 'content-length',
        'content-type', 'date', 'etag', 'last-modified', 'location', 'retry-after', 'set-cookie', 'transfer-encoding',
        'vary',
    ];

    /** The client could choose absolute links by Host. Proxy becomes HTTP_PROXY, which HTTP clients obey. */
    private const NEVER_PASSED = ['host', 'proxy'];

    /** @throws InvalidSite if nginx cannot take one of the site's hosts or headers */
    public function __construct(
        private Site $site,
        private NginxTarget $target,
    ) {
        if (preg_match('/^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/D', $site->hosts[0]) !== 1) {
            throw InvalidSite::because(
                \sprintf('hosts: PHP gets the first one as SERVER_NAME; "%s" is not a plain name', $site->hosts[0]),
            );
        }
        foreach ($site->hosts as $host) {
            if (preg_match('/^(?:\*\.|\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?:\.\*)?$/D', $host) !== 1) {
                throw InvalidSite::because(\sprintf('hosts: nginx does not take "%s" as a server name', $host));
            }
        }
        foreach (array_keys($site->serving->headers) as $name) {
            if (\in_array(strtolower($name), self::RESERVED, true)) {
                throw InvalidSite::because(\sprintf('headers: only Larder or nginx sets "%s"', $name));
            }
        }
        foreach ($site->visitors->passHeaders as $name) {
            if (\in_array(strtolower($name), self::NEVER_PASSED, true)) {
                throw InvalidSite::because(
                    \sprintf('passHeaders: "%s" is never passed to a render that could be stored', $name),
                );
            }
        }
    }

    /** For the http context. */
    public function http(): string
    {
        return $this->text('http', $this->hash());
    }

    /** For the site's own server block. */
    public function locations(): string
    {
        return $this->text('locations', $this->hash());
    }

    /** A server block for the site, and one that hangs up on unknown hosts. */
    public function server(): string
    {
        $hash = $this->hash();
        if ($this->target->listen === []) {
            throw InvalidSite::because('nginx needs an address to listen on');
        }

        return $this->text('server', $hash);
    }

    /** Of http() with locations(), or with server() if the target has addresses to listen at. */
    public function hash(): string
    {
        return hash(
            'xxh128',
            $this->text('http') . $this->text($this->target->listen === [] ? 'locations' : 'server'),
        );
    }

    /**
     * An nginx.conf that any user can run: `nginx -p DIRECTORY -e DIRECTORY/nginx.log -c FILE`.
     *
     * @param string ...$more further blocks for the http context
     */
    public function whole(string ...$more): string
    {
        return (new NginxTemplates($this->site, $this->target))->whole($this->http(), $this->server(), ...$more);
    }

    private function text(string $template, string $hash = ''): string
    {
        return (new NginxTemplates($this->site, $this->target, $hash))->text($template);
    }
}
