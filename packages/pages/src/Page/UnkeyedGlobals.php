<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * What the superglobals have beside the page's key: headers, cookies, the client's address.
 *
 * Nothing shows who reads a superglobal, so a page that could be stored is rendered without these values. What nginx
 * passes cannot be taken out of getenv(). So it passes nothing of the client but the key, the headers that the site
 * asks for, one word: whether the client accepts gzip, and the context, if the site has contexts.
 *
 * @internal
 */
final readonly class UnkeyedGlobals
{
    /**
     * @param array<array-key, mixed> $cookie
     * @param array<array-key, mixed> $request
     * @param array<array-key, mixed> $server
     * @param array<array-key, mixed> $environment
     */
    private function __construct(
        private array $cookie,
        private array $request,
        private array $server,
        private array $environment,
    ) {}

    public static function hide(): self
    {
        $hidden = new self($_COOKIE, $_REQUEST, $_SERVER, $_ENV);
        $_COOKIE = [];
        $_REQUEST = $_GET;
        $_SERVER = self::keyed($_SERVER);
        $_ENV = self::keyed($_ENV);

        return $hidden;
    }

    public function restore(): void
    {
        $_COOKIE = $this->cookie;
        $_REQUEST = $this->request;
        $_SERVER = $this->server;
        $_ENV = $this->environment;
    }

    /**
     * @param array<array-key, mixed> $values
     *
     * @return array<array-key, mixed>
     */
    private static function keyed(array $values): array
    {
        foreach (array_keys($values) as $name) {
            if (str_starts_with((string) $name, 'HTTP_') || str_starts_with((string) $name, 'REMOTE_')) {
                unset($values[$name]);
            }
        }
        unset($values[PageRequest::ENCODING], $values[Context::PARAMETER]);

        return $values;
    }
}
