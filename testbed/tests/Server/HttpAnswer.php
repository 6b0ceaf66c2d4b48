<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Server;

use Larder\Testbed\Http\ResponseReader;
use PHPUnit\Framework\Assert;

/** One HTTP answer, letter for letter. */
final readonly class HttpAnswer
{
    /** @param array<string, string> $headers by name in lower case */
    private function __construct(
        public int $status,
        public array $headers,
        public string $body,
    ) {}

    /** @param array<string, string> $headers */
    public static function get(string $address, string $uri, array $headers = []): self
    {
        return self::of($address, 'GET', $uri, $headers);
    }

    /**
     * @param string                $address of the server, as `127.0.0.1:80`
     * @param array<string, string> $headers
     */
    public static function of(string $address, string $method, string $uri, array $headers = [], string $body = '', string $version = '1.1'): self
    {
        $headers += ['Host' => $address, 'Connection' => 'close'] + ($body === '' ? [] : ['Content-Length' => (string) \strlen($body)]);
        $lines = '';
        foreach ($headers as $name => $value) {
            $lines .= "{$name}: {$value}\r\n";
        }

        return self::parse(self::raw($address, "{$method} {$uri} HTTP/{$version}\r\n{$lines}\r\n{$body}"), $method !== 'HEAD');
    }

    /** What comes back for these bytes until the server hangs up; with later bytes after a pause. */
    public static function raw(string $address, string $request, string $later = '', float $pause = 0.0): string
    {
        $stream = stream_socket_client('tcp://' . $address, timeout: 5);
        Assert::assertIsResource($stream);
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

    public static function parse(string $answer, bool $hasBody = true): self
    {
        $reader = new ResponseReader($hasBody);
        $response = $reader->feed($answer) ?? $reader->close();
        Assert::assertNotNull($response, 'an answer, not: ' . $answer);
        Assert::assertStringStartsWith('HTTP/1.1 ', $answer);
        Assert::assertSame([], $response->repeated, 'no header comes twice');

        return new self($response->status, $response->headers, $response->body);
    }

    public function header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }

    /** @return array<array-key, mixed> what the stand-in for a site says PHP was told */
    public function told(): array
    {
        Assert::assertSame('php', $this->header('X-Answered-By'), 'PHP answers, not: ' . $this->status . ' ' . substr($this->body, 0, 200));
        $told = json_decode($this->body, true, flags: JSON_THROW_ON_ERROR);
        Assert::assertIsArray($told);

        return $told;
    }
}
