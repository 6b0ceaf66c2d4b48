<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\InvalidSite;

/**
 * Where a site meets its servers: what NginxConfig has to know beside the Site itself.
 */
final readonly class NginxTarget
{
    private const PATH = '/[^\s"\'{};$\\\\]*[^/\s"\'{};$\\\\]';

    /**
     * @param list<string>           $listen        `127.0.0.1:8080`, `[::1]:8080`, `8080` or `unix:/run/site.sock`
     * @param string                 $socket        unix socket of php-fpm
     * @param string                 $script        front controller: the one PHP file that nginx ever asks for
     * @param string|null            $public        directory of static files; only the files found in it now are served, each by its exact name, and no PHP
     * @param bool                   $https         whether PHP is told that clients come by TLS. It is no part of a page's key, so it is fixed
     * @param bool                   $defaultServer whether to add the server that hangs up on unknown hosts; false if another site on these addresses has it
     * @param string                 $directory     of a standalone nginx: pid, log and temporary files; only whole() uses it
     * @param string|null            $user          that a standalone nginx started by root runs its workers as
     *
     * @throws InvalidSite if a value could break out of its directive
     */
    public function __construct(
        public array $listen,
        public string $socket,
        public string $script,
        public ?string $public = null,
        public bool $https = false,
        public bool $defaultServer = true,
        public string $directory = '/run/larder-nginx',
        public ?string $user = null,
    ) {
        if ($listen === []) {
            throw InvalidSite::because('nginx needs an address to listen on');
        }
        foreach ($listen as $address) {
            self::check('listen', $address, '(?:(?:[A-Za-z0-9.-]+:|\[[0-9A-Fa-f:.]+\]:)?[1-9][0-9]{0,4}|unix:' . self::PATH . ')');
        }
        foreach (['socket' => $socket, 'script' => $script, 'directory' => $directory, 'public' => $public ?? '/public'] as $what => $path) {
            self::check($what, $path, self::PATH);
        }
        self::check('user', $user ?? 'user', '[a-z_][a-z0-9_-]*');
    }

    private static function check(string $what, string $value, string $expression): void
    {
        if (preg_match('~^' . $expression . '$~D', $value) !== 1 || preg_match('/[\x00-\x20\x7F]/', $value) === 1) {
            throw InvalidSite::because(\sprintf('%s: nginx cannot be given "%s"', $what, $value));
        }
    }
}
