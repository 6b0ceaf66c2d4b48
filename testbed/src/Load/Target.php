<?php

declare(strict_types=1);

namespace Larder\Testbed\Load;

use Larder\Testbed\Http\Response;

/** What is requested, and what every reply must be. */
final readonly class Target
{
    /**
     * @param string                $body    the whole body
     * @param array<string, string> $headers that every reply must have; names as the server writes them
     * @param list<int>             $servers processes whose CPU is the servers'
     * @param list<int> $clients processes that are the client under test, where that is not the load generator itself
     * @param list<string>          $asking  headers of every request
     */
    public function __construct(
        public string $url,
        public string $body,
        public array $headers = [],
        public array $servers = [],
        public array $clients = [],
        public array $asking = [],
    ) {}

    /** @return string|null what is wrong with a response of status 200; null: it is right */
    public function fault(Response $response): ?string
    {
        if ($response->body !== $this->body) {
            return \sprintf(
                '%d bytes that are not the %d of the page: %s',
                \strlen($response->body),
                \strlen($this->body),
                self::excerpt($response->body),
            );
        }
        foreach ($this->headers as $name => $value) {
            if ($response->header($name) !== $value) {
                return \sprintf('%s: %s instead of %s', $name, $response->header($name) ?? 'none', $value);
            }
        }

        return null;
    }

    /** The start of a body, in one printable line. */
    public static function excerpt(string $body): string
    {
        $text = (string) preg_replace('/\s+/', ' ', preg_replace('/[^\x20-\x7E\s]/', '?', substr($body, 0, 300)) ?? '');

        return '"' . trim(substr($text, 0, 160)) . (\strlen($body) > 160 ? '...' : '') . '"';
    }
}
