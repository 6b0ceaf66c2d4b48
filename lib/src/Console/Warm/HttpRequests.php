<?php

declare(strict_types=1);

namespace Larder\Console\Warm;

use Larder\Console\HttpServer;
use Symfony\Contracts\HttpClient\ChunkInterface;
use Symfony\Contracts\HttpClient\Exception\TransportExceptionInterface;
use Symfony\Contracts\HttpClient\ResponseInterface;

/**
 * Requests over HTTP/1.1, each on a connection of its own. A page is whole, and stored, only at the end of its answer.
 *
 * @internal
 */
final class HttpRequests implements Requests
{
    private const HEADERS = ['User-Agent' => 'larder warm', 'Accept-Encoding' => 'gzip'];

    private readonly HttpServer $server;

    /** @var array<int, ResponseInterface> by number of its object */
    private array $running = [];

    /** @var array<int, string> URIs, in the same way */
    private array $uris = [];

    /**
     * @param string $address as HttpServer has it
     * @param float  $seconds for each request
     */
    public function __construct(string $address, string $host, float $seconds)
    {
        $this->server = new HttpServer($address, $host, $seconds);
    }

    public function start(string $uri): void
    {
        $response = $this->server->get($uri, self::HEADERS);
        $this->running[spl_object_id($response)] = $response;
        $this->uris[spl_object_id($response)] = $uri;
    }

    public function wait(?float $seconds): array
    {
        if ($this->running === []) {
            usleep((int) ceil(($seconds ?? 0.0) * 1e6));

            return [];
        }
        $end = $seconds === null ? PHP_INT_MAX : (int) hrtime(true) + (int) ceil($seconds * 1e9);
        foreach ($this->server->stream($this->running, $seconds) as $response => $chunk) {
            $answer = $this->answer($response, $chunk);
            if ($answer !== null) {
                unset($this->running[spl_object_id($response)], $this->uris[spl_object_id($response)]);

                return [$answer];
            }
            if (hrtime(true) >= $end) {
                break;
            }
        }

        return [];
    }

    /** @return Answer|null null: it is not whole */
    private function answer(ResponseInterface $response, ChunkInterface $chunk): ?Answer
    {
        $uri = $this->uris[spl_object_id($response)];
        try {
            if ($chunk->isTimeout()) {
                return null;
            }
            // Looked at, an error's status is none of the client's exceptions.
            $status = $response->getStatusCode();
            if (!$chunk->isLast()) {
                return null;
            }
            $cache = $response->getHeaders(false)['cache-status'][0] ?? '';

            return Answer::of($uri, $status, trim($cache));
        } catch (TransportExceptionInterface $exception) {
            return new Answer($uri, Outcome::Failed, 0, $this->server->reason($response, $exception));
        }
    }
}
