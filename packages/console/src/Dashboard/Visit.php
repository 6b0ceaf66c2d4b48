<?php

declare(strict_types=1);

namespace Larder\Dashboard;

/**
 * A request for the dashboard.
 *
 * @internal
 */
final readonly class Visit
{
    /** Bytes of a body that are read. */
    private const BODY = 16384;

    /**
     * @param array<array-key, mixed> $query   of the URI, decoded
     * @param array<string, string>   $headers by name in lower case
     * @param array<array-key, mixed> $cookies
     * @param string                  $address of the client, as the server saw it
     * @param string                  $path    of the URI, without its query
     */
    public function __construct(
        public string $method,
        public array $query = [],
        public array $headers = [],
        public array $cookies = [],
        public string $address = '',
        public string $body = '',
        public bool $isHttps = false,
        public string $path = '/',
        public int $port = 0,
    ) {}

    /**
     * @param array<array-key, mixed> $server
     * @param array<array-key, mixed> $query
     * @param array<array-key, mixed> $cookies
     */
    public static function of(array $server, array $query, array $cookies): self
    {
        $text = static fn(string $key): string => \is_string($server[$key] ?? null) ? $server[$key] : '';
        $headers = [];
        foreach ($server as $name => $value) {
            if (\is_string($value) && str_starts_with((string) $name, 'HTTP_')) {
                $headers[strtolower(strtr(substr((string) $name, 5), '_', '-'))] = $value;
            }
        }
        $headers['content-type'] = $text('CONTENT_TYPE');
        if (!isset($headers['authorization']) && $text('PHP_AUTH_USER') !== '') {
            // Apache keeps the header to itself.
            $headers['authorization'] = 'Basic ' . base64_encode($text('PHP_AUTH_USER') . ':' . $text('PHP_AUTH_PW'));
        }
        $body = $text('REQUEST_METHOD') === 'POST'
            ? (string) file_get_contents('php://input', length: self::BODY)
            : '';

        return new self(
            $text('REQUEST_METHOD'),
            $query,
            $headers,
            $cookies,
            $text('REMOTE_ADDR'),
            $body,
            !\in_array(strtolower($text('HTTPS')), ['', 'off'], true),
            explode('?', $text('REQUEST_URI'), 2)[0],
            (int) $text('SERVER_PORT'),
        );
    }

    public function header(string $name): string
    {
        return $this->headers[$name] ?? '';
    }

    /** A parameter of the query; an array counts as none. */
    public function parameter(string $name): string
    {
        return \is_string($this->query[$name] ?? null) ? $this->query[$name] : '';
    }
}
