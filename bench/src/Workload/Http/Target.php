<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\Failed;

/** What is requested, and what every reply must be. */
final readonly class Target
{
    /**
     * @param string                $body    the whole of it
     * @param array<string, string> $headers that every reply must have; names as the server writes them
     * @param list<int>             $servers processes whose CPU time is the servers'
     * @param list<int> $clients processes of the client under test, if that is not the load generator itself
     * @param bool                  $checked false: the replies say nothing about those that the client under test got
     */
    public function __construct(
        public string $url,
        public string $body,
        public array $headers = [],
        public array $servers = [],
        public array $clients = [],
        private bool $checked = true,
    ) {}

    /** @param int $replies that were compared with the body */
    public function coverage(int $replies): Coverage
    {
        return $this->checked ? Coverage::every($replies) : Coverage::none($replies);
    }

    /**
     * @return array{address: string, uri: string} host and port; path and query
     *
     * @throws Failed if this is no address of a page
     */
    public static function parts(string $url): array
    {
        $parts = parse_url($url);
        if ($parts === false || ($parts['scheme'] ?? '') !== 'http' || !isset($parts['host'])) {
            throw new Failed(\sprintf('%s is no address of a page', $url));
        }

        return [
            'address' => $parts['host'] . ':' . ($parts['port'] ?? 80),
            'uri' => ($parts['path'] ?? '/') . (isset($parts['query']) ? '?' . $parts['query'] : ''),
        ];
    }

    public static function request(string $address, string $uri, bool $keepAlive): string
    {
        return \sprintf(
            "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n",
            $uri,
            $address,
            $keepAlive ? '' : "Connection: close\r\n",
        );
    }

    /** What is wrong with a reply whose status is 200; null: nothing. */
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

    /** The start of a body as one printable line. */
    public static function excerpt(string $body): string
    {
        $printable = (string) preg_replace('/[^\x20-\x7E\s]/', '?', substr($body, 0, 300));
        $text = (string) preg_replace('/\s+/', ' ', $printable);

        return '"' . trim(substr($text, 0, 160)) . (\strlen($body) > 160 ? '...' : '') . '"';
    }
}
