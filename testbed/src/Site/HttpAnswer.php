<?php

declare(strict_types=1);

namespace Larder\Testbed\Site;

use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Server\ServerFailed;

/** A response, and what the stand-in's PHP says in it. */
final readonly class HttpAnswer
{
    public int $status;

    /** @var array<string, string> */
    public array $headers;

    public string $body;

    private function __construct(private Response $response)
    {
        $this->status = $response->status;
        $this->headers = $response->headers;
        $this->body = $response->body;
    }

    /** @param array<string, string> $headers */
    public static function get(string $address, string $uri, array $headers = []): self
    {
        return self::of($address, 'GET', $uri, $headers);
    }

    /**
     * @param string                $address of the server, as `127.0.0.1:80`
     * @param array<string, string> $headers
     */
    public static function of(
        string $address,
        string $method,
        string $uri,
        array $headers = [],
        string $body = '',
        string $version = '1.1',
    ): self {
        return new self(Connection::ask($address, $method, $uri, $headers, $body, $version));
    }

    /** What comes back for these bytes until the server hangs up; with later bytes after a pause. */
    public static function raw(string $address, string $request, string $later = '', float $pause = 0.0): string
    {
        $stream = stream_socket_client('tcp://' . $address, timeout: 5);
        if ($stream === false) {
            throw ServerFailed::because('cannot connect to ' . $address);
        }
        stream_set_timeout($stream, 5);
        fwrite($stream, $request);
        if ($later !== '') {
            usleep((int) ($pause * 1e6));
            fwrite($stream, $later);
        }
        $answer = (string) stream_get_contents($stream);
        fclose($stream);

        return $answer;
    }

    public static function parse(string $answer): self
    {
        return new self(Response::parse($answer));
    }

    public function header(string $name): ?string
    {
        return $this->response->header($name);
    }

    /** @return array<array-key, mixed> what the stand-in for a site says PHP was told */
    public function told(): array
    {
        $told = $this->header('X-Answered-By') === 'php' ? json_decode($this->body, true) : null;

        return \is_array($told)
            ? $told
            : throw ServerFailed::because("it is not PHP that answers $this->status " . substr($this->body, 0, 200));
    }
}
