<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Page\Exception\InvalidSite;

/** @internal The addresses, sockets and files of one machine, which NginxConfig needs beside the Site. */
final readonly class NginxTarget
{
    private const PATH = '/[^\s"\'{};$\\\\]*[^/\s"\'{};$\\\\]';

    /**
     * @param list<string> $listen        `127.0.0.1:8080`, `[::1]:8080`, `8080` or `unix:/run/site.sock`; empty: the
     *     site's own server block has them, as NginxConfig::locations() wants it
     * @param string       $socket        unix socket of php-fpm
     * @param string       $script        front controller: the only PHP file that nginx asks for
     * @param string|null $public directory of static files. nginx serves those that are in it, but hidden ones and
     *     sources of PHP
     * @param bool $https clients come by TLS. Fixed for the site, since a page's key does not contain it
     * @param bool $defaultServer adds the server that hangs up on unknown hosts; false if another site here has it
     * @param string       $directory     pid, log and temporary files of a standalone nginx; only whole() uses it
     * @param string|null  $user          whom the workers of a standalone nginx run as, if root starts it
     *
     * @param string      $log           error log of the site's nginx, for pages in memcached
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
        public string $log = '/var/log/nginx/error.log',
    ) {
        foreach ($listen as $address) {
            if (str_contains($address, ' ')) {
                throw InvalidSite::because(\sprintf(
                    'listen: "%s" is an address with an option; write a server block of your own with it, and include '
                        . 'what larder nginx:config --part prints',
                    $address,
                ));
            }
            self::check(
                'listen',
                $address,
                '(?:(?:[A-Za-z0-9.-]+:|\[[0-9A-Fa-f:.]+\]:)?[1-9][0-9]{0,4}|unix:' . self::PATH . ')',
            );
        }
        foreach ([
            'socket' => $socket,
            'script' => $script,
            'directory' => $directory,
            'log' => $log,
            'public' => $public ?? '/public',
        ] as $what => $path) {
            self::check($what, $path, self::PATH);
        }
        self::check('user', $user ?? 'user', '[a-z_][a-z0-9_-]*');
    }

    /**
     * What decides the text of NginxConfig::http() and server(), beside the site.
     *
     * @return array{listen: list<string>, php: string, front: string, public: string|null, https: bool,
     *     default_server: bool, log: string}
     */
    public function described(): array
    {
        return [
            'listen' => $this->listen,
            'php' => $this->socket,
            'front' => $this->script,
            'public' => $this->public,
            'https' => $this->https,
            'default_server' => $this->defaultServer,
            'log' => $this->log,
        ];
    }

    /**
     * @param array<array-key, mixed> $described as described() gives it
     *
     * @throws InvalidSite if that is not what it is
     */
    public static function of(array $described): self
    {
        ['listen' => $listen, 'php' => $php, 'front' => $front, 'public' => $public, 'log' => $log] = $described
            + ['listen' => null, 'php' => null, 'front' => null, 'public' => null, 'log' => null];
        if (
            !\is_array($listen) || !\is_string($php) || !\is_string($front) || !\is_string($log)
            || ($public !== null && !\is_string($public))
        ) {
            throw InvalidSite::because('nginx does not tell what its configuration was printed for');
        }

        return new self(
            array_values(array_filter($listen, is_string(...))),
            $php,
            $front,
            $public,
            ($described['https'] ?? null) === true,
            ($described['default_server'] ?? null) === true,
            log: $log,
        );
    }

    private static function check(string $what, string $value, string $expression): void
    {
        if (preg_match('~^' . $expression . '$~D', $value) !== 1 || preg_match('/[\x00-\x20\x7F]/', $value) === 1) {
            throw InvalidSite::because(\sprintf('%s: nginx cannot be given "%s"', $what, $value));
        }
    }
}
