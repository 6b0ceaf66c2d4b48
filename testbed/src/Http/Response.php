<?php

declare(strict_types=1);

namespace Larder\Testbed\Http;

use Larder\Testbed\Server\ServerFailed;

/** A whole HTTP response. */
final readonly class Response
{
    /**
     * @param array<string, string> $headers by name in small letters; values of a name that came twice stand behind
     *     each other
     * @param list<string>          $repeated names that came more than once
     * @param int                   $length  bytes of the whole response, as it came
     * @param bool                  $closes  the server closes the connection behind it
     */
    private function __construct(
        public int $status,
        public array $headers,
        public array $repeated,
        public string $body,
        public int $length,
        public bool $closes,
        private string $head,
    ) {}

    /** @param string $head status line and headers, as they came */
    public static function of(string $head, string $body, int $length, bool $closes): self
    {
        $headers = $repeated = [];
        foreach (\array_slice(explode("\r\n", rtrim($head)), 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $name = strtolower($name);
            if (isset($headers[$name])) {
                $repeated[] = $name;
                $value = $headers[$name] . ', ' . trim($value);
            }
            $headers[$name] = trim($value);
        }

        return new self((int) substr($head, 9, 3), $headers, $repeated, $body, $length, $closes, $head);
    }

    /**
     * The response that these bytes are, up to the end of their connection.
     *
     * @param bool $hasBody false: it answers a HEAD
     *
     * @throws ServerFailed when they are no whole response, or name a header twice
     */
    public static function parse(string $bytes, bool $hasBody = true): self
    {
        $reader = new ResponseReader($hasBody);
        $response = $reader->feed($bytes) ?? $reader->close();
        if ($response === null) {
            throw ServerFailed::because('no whole response: ' . $bytes);
        }
        if ($response->repeated !== []) {
            throw ServerFailed::because('headers that come twice: ' . implode(', ', $response->repeated));
        }

        return $response;
    }

    public function header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }

    /** The header's name as the server writes it. */
    public function spelling(string $name): ?string
    {
        return preg_match('/^(' . preg_quote($name, '/') . '):/mi', $this->head, $match) === 1 ? $match[1] : null;
    }
}
