<?php

declare(strict_types=1);

namespace Larder\Testbed\Http;

/** Asks php-fpm directly, on a new connection for each request: nothing in between could hide a failure. */
final readonly class FastCgi
{
    private const BEGIN = 1;
    private const END = 3;
    private const PARAMETERS = 4;
    private const INPUT = 5;
    private const OUTPUT = 6;
    private const ERRORS = 7;

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
        $stream = @stream_socket_client('unix://' . $this->socket, $code, $reason, $this->seconds);
        if ($stream === false) {
            return null;
        }
        stream_set_timeout($stream, $this->seconds);
        // A worker that is killed just now breaks the pipe.
        @fwrite($stream, $this->request($query, $uri, $more));
        $answer = (string) stream_get_contents($stream);
        fclose($stream);
        [$output, $isWhole] = self::output($answer);
        $parts = explode("\r\n\r\n", $output, 2);

        return $isWhole && \count($parts) === 2 && preg_match('/^Status:/m', $parts[0]) !== 1 ? $parts : null;
    }

    /** @param array<string, string> $more */
    private function request(string $query, string $uri, array $more): string
    {
        $parameters = '';
        foreach ([
            'SCRIPT_NAME' => $uri,
            'SCRIPT_FILENAME' => $this->script,
            'QUERY_STRING' => $query,
            'REQUEST_METHOD' => 'GET',
            'REQUEST_URI' => $uri,
        ] + $more as $name => $value) {
            $parameters .= pack('CN', \strlen($name), 0x80000000 | \strlen($value)) . $name . $value;
        }

        return self::record(self::BEGIN, "\0\1\0\0\0\0\0\0")
            . self::record(self::PARAMETERS, $parameters)
            . self::record(self::PARAMETERS, '')
            . self::record(self::INPUT, '');
    }

    private static function record(int $type, string $content): string
    {
        return pack('CCnnCC', 1, $type, 1, \strlen($content), 0, 0) . $content;
    }

    /**
     * @return array{string, bool} what the script printed, and whether the answer came to its end without a word of
     *     error
     */
    private static function output(string $answer): array
    {
        $output = '';
        for ($at = 0; \strlen($answer) >= $at + 8; $at += 8 + $length + $padding) {
            /** @var array{type: int, length: int, padding: int} $header */
            $header = unpack('x/Ctype/x2/nlength/Cpadding', $answer, $at);
            ['type' => $type, 'length' => $length, 'padding' => $padding] = $header;
            $content = substr($answer, $at + 8, $length);
            if ($type === self::OUTPUT) {
                $output .= $content;
            } elseif ($type === self::END || $type === self::ERRORS) {
                return [$output, $type === self::END];
            }
        }

        return [$output, false];
    }
}
