<?php

declare(strict_types=1);

namespace Larder\Testbed\Http;

use Larder\Console\FastCgi as Request;
use Larder\Store\Net\ConnectionFailed;

/** Asks php-fpm directly, on a new connection for each request: nothing in between could hide a failure. */
final readonly class FastCgi
{
    public function __construct(
        private string $socket,
        private string $script,
        private int $seconds = 10,
    ) {}

    /** The body of a whole answer with status 200 and nothing on its error stream; null otherwise. */
    public function get(string $query, string $uri = '/'): ?string
    {
        return $this->parts($query, $uri)[1] ?? null;
    }

    /**
     * Such an answer's head and body.
     *
     * @param array<string, string> $more parameters
     *
     * @return array{string, string}|null
     */
    public function parts(string $query, string $uri, array $more = []): ?array
    {
        $parameters = ['SCRIPT_NAME' => $uri, 'QUERY_STRING' => $query, 'REQUEST_URI' => $uri] + $more;
        try {
            [$output, $errors, $isWhole] = Request::ask($this->socket, $this->script, $parameters, $this->seconds);
        } catch (ConnectionFailed) {
            return null;
        }
        $parts = explode("\r\n\r\n", $output, 2);

        return $isWhole && $errors === '' && \count($parts) === 2 && preg_match('/^Status:/m', $parts[0]) !== 1
            ? $parts
            : null;
    }
}
