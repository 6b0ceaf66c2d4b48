<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Exception\Failed;

/** What is requested, and what every reply must be. */
final readonly class Target
{
    /**
     * @param string                $body    the whole of it
     * @param array<string, string> $headers that every reply must have; names as the server writes them
     * @param list<int>             $servers processes whose CPU is the servers'
     * @param list<int> $clients processes that are the client under test, where that is not the load generator itself
     */
    public function __construct(
        public string $url,
        public string $body,
        public array $headers = [],
        public array $servers = [],
        public array $clients = [],
    ) {}

    /** @return array{host: string, port: int, uri: string} */
    public function parts(): array
    {
        $parts = parse_url($this->url);
        if ($parts === false || ($parts['scheme'] ?? '') !== 'http' || !isset($parts['host'])) {
            throw new Failed(\sprintf('%s is no address of a page', $this->url));
        }

        return [
            'host' => $parts['host'],
            'port' => $parts['port'] ?? 80,
            'uri' => ($parts['path'] ?? '/') . (isset($parts['query']) ? '?' . $parts['query'] : ''),
        ];
    }

    /** Null: this is the reply; else what is wrong with it. Only for replies with status 200. */
    public function fault(Reply $reply): ?string
    {
        if ($reply->body !== $this->body) {
            return \sprintf(
                '%d bytes that are not the %d of the page: %s',
                \strlen($reply->body),
                \strlen($this->body),
                self::excerpt($reply->body),
            );
        }
        foreach ($this->headers as $name => $value) {
            if ($reply->header($name) !== $value) {
                return \sprintf('%s: %s instead of %s', $name, $reply->header($name) ?? 'none', $value);
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
