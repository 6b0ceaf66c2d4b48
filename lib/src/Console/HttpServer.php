<?php

declare(strict_types=1);

namespace Larder\Console;

use RuntimeException;
use Symfony\Component\HttpClient\CurlHttpClient;
use Symfony\Contracts\HttpClient\Exception\TransportExceptionInterface;
use Symfony\Contracts\HttpClient\HttpClientInterface;
use Symfony\Contracts\HttpClient\ResponseInterface;
use Symfony\Contracts\HttpClient\ResponseStreamInterface;

/**
 * A server that is asked for URIs of a site, letter for letter. Who it is that answers is not looked at, no redirect is
 * followed, and no proxy is asked.
 *
 * @internal
 */
final readonly class HttpServer
{
    private const NEEDED = 'requests over HTTP need PHP\'s extension curl (apt install php-curl)';

    private HttpClientInterface $client;

    /**
     * @param string $address `127.0.0.1:80`, `[::1]:80`, `unix:/path` or `https://127.0.0.1:443`
     * @param string $host    that is asked for
     * @param float  $seconds for each request, connecting included
     *
     * @throws Refused
     */
    public function __construct(
        private string $address,
        private string $host,
        private float $seconds,
    ) {
        // The client without it knows no unix socket, and waits for one answer after the other.
        if (!\extension_loaded('curl')) {
            throw Refused::because(self::NEEDED);
        }
        $this->client = new CurlHttpClient(maxHostConnections: 64);
    }

    /**
     * Starts a GET.
     *
     * @param array<string, string> $headers by name
     */
    public function get(string $uri, array $headers = []): ResponseInterface
    {
        $isUnix = str_starts_with($this->address, 'unix:');
        $isSecure = str_starts_with($this->address, 'https://');

        return $this->client->request('GET', ($isSecure ? "https://$this->host" : 'http://localhost') . '/', [
            'headers' => ['Host' => $this->host, 'Connection' => 'close'] + $headers,
            'http_version' => '1.1',
            'max_redirects' => 0,
            'no_proxy' => '*',
            'verify_peer' => false,
            'verify_host' => false,
            'bindto' => $isUnix ? substr($this->address, 5) : '0',
            'max_duration' => $this->seconds,
            // Silence ends a request by the line above.
            'timeout' => $this->seconds + 60.0,
            'buffer' => false,
            'extra' => ['curl' => [CURLOPT_REQUEST_TARGET => $uri] + ($isUnix ? [] : [
                CURLOPT_CONNECT_TO => ['::' . ($isSecure ? substr($this->address, 8) : $this->address)],
            ])],
        ]);
    }

    /**
     * The status and the body of a GET.
     *
     * @param array<string, string> $headers by name
     *
     * @return array{int, string} status 0: no answer in time, or no whole one
     *
     * @throws RuntimeException if there is no connection; the message is the system's, such as "Connection refused"
     */
    public function fetch(string $uri, array $headers = []): array
    {
        $response = $this->get($uri, $headers);
        try {
            $status = $response->getStatusCode();

            return [$status, $response->getContent(false)];
        } catch (TransportExceptionInterface $exception) {
            if ($response->getInfo('connect_time') > 0 && !str_contains($exception->getMessage(), 'SSL')) {
                return [0, ''];
            }
            throw new RuntimeException($this->reason($response, $exception));
        }
    }

    /**
     * @param array<int, ResponseInterface> $responses
     * @param float|null                  $seconds   of silence after which those that are silent are told
     */
    public function stream(array $responses, ?float $seconds): ResponseStreamInterface
    {
        return $this->client->stream($responses, $seconds);
    }

    /** Why no answer came. */
    public function reason(ResponseInterface $response, TransportExceptionInterface $exception): string
    {
        $said = $exception->getMessage();
        if (str_starts_with($this->address, 'unix:') && !file_exists(substr($this->address, 5))) {
            return 'No such file or directory';
        }
        $log = $response->getInfo('debug');
        $log = \is_string($log) ? $log : '';
        // Curl says only there what the system said.
        if (preg_match('/.*^\* +connect to [^\n]* failed: ([^\n]+)$/msi', $log, $failure) === 1) {
            return trim($failure[1]);
        }

        return match (true) {
            str_contains($said, 'timed out') => "no answer within {$this->seconds} s",
            str_contains($said, 'Empty reply') => 'the connection was closed without an answer',
            default => (string) preg_replace('~ for "https?://[^"]*"\.?$~D', '', $said),
        };
    }
}
