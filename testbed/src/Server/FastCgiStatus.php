<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use JsonException;

/** php-fpm's own account of a pool, asked over its status socket, which is answered by a process of its own: asking does not count, and is answered when all workers are busy. */
final readonly class FastCgiStatus
{
    private const BEGIN = 1;
    private const END = 3;
    private const PARAMETERS = 4;
    private const INPUT = 5;
    private const OUTPUT = 6;
    private const TIMEOUT = 2;

    public function __construct(
        private string $socket,
        private string $path = '/status',
    ) {}

    /** Requests that the pool's workers have taken since php-fpm started. Killed workers' ones are counted. */
    public function accepted(): int
    {
        $accepted = $this->read()['accepted conn'] ?? null;

        return \is_int($accepted) ? $accepted : throw ServerFailed::because('php-fpm does not say how many requests it took');
    }

    /** @return array<array-key, mixed> */
    public function read(): array
    {
        $stream = @stream_socket_client('unix://' . $this->socket, $code, $reason, self::TIMEOUT);
        if ($stream === false) {
            throw ServerFailed::because(\sprintf('php-fpm does not listen on %s: %s', $this->socket, $reason));
        }
        stream_set_timeout($stream, self::TIMEOUT);
        fwrite($stream, $this->request());
        $answer = '';
        while (($header = $this->bytes($stream, 8)) !== '') {
            $record = unpack('Cversion/Ctype/nid/nlength/Cpadding', $header);
            if ($record === false || !\is_int($record['length']) || !\is_int($record['padding'])) {
                break;
            }
            $content = $this->bytes($stream, $record['length']);
            $this->bytes($stream, $record['padding']);
            if ($record['type'] === self::OUTPUT) {
                $answer .= $content;
            }
            if ($record['type'] === self::END) {
                break;
            }
        }
        fclose($stream);

        return self::json($answer);
    }

    private function request(): string
    {
        $parameters = '';
        foreach (['SCRIPT_NAME' => $this->path, 'SCRIPT_FILENAME' => $this->path, 'QUERY_STRING' => 'json', 'REQUEST_METHOD' => 'GET', 'REQUEST_URI' => $this->path] as $name => $value) {
            $parameters .= \chr(\strlen($name)) . \chr(\strlen($value)) . $name . $value;
        }

        return self::record(self::BEGIN, "\0\1\0\0\0\0\0\0") . self::record(self::PARAMETERS, $parameters) . self::record(self::PARAMETERS, '') . self::record(self::INPUT, '');
    }

    private static function record(int $type, string $content): string
    {
        return pack('CCnnCC', 1, $type, 1, \strlen($content), 0, 0) . $content;
    }

    /** @param resource $stream */
    private function bytes($stream, int $length): string
    {
        return $length < 1 ? '' : (string) stream_get_contents($stream, $length);
    }

    /** @return array<array-key, mixed> */
    private static function json(string $answer): array
    {
        try {
            $status = json_decode(explode("\r\n\r\n", $answer, 2)[1] ?? '', true, flags: JSON_THROW_ON_ERROR);
        } catch (JsonException) {
            $status = null;
        }

        return \is_array($status) ? $status : throw ServerFailed::because('php-fpm gave no status but: ' . substr($answer, 0, 200));
    }
}
