<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use RuntimeException;

/** Asks php-fpm to run one script. */
final readonly class FastCgi
{
    private const BEGIN = 1;
    private const PARAMETERS = 4;
    private const INPUT = 5;
    private const OUTPUT = 6;
    private const ERRORS = 7;

    /**
     * @param string                $socket     unix socket of php-fpm
     * @param array<string, string> $parameters beside those of every request
     *
     * @return string what the script printed, without headers; if it failed, what php-fpm said
     *
     * @throws RuntimeException if there is no connection
     */
    public static function run(string $socket, string $script, array $parameters): string
    {
        $parameters += [
            'SCRIPT_FILENAME' => $script,
            'SCRIPT_NAME' => '/' . basename($script),
            'REQUEST_METHOD' => 'GET',
            'REQUEST_URI' => '/' . basename($script),
            'SERVER_PROTOCOL' => 'HTTP/1.1',
        ];
        $encoded = '';
        foreach ($parameters as $name => $value) {
            $encoded .= pack('NN', 0x80000000 | \strlen($name), 0x80000000 | \strlen($value)) . $name . $value;
        }
        $answer = Exchange::with(
            'unix:' . $socket,
            self::record(self::BEGIN, "\0\1\0\0\0\0\0\0")
                . self::record(self::PARAMETERS, $encoded)
                . self::record(self::PARAMETERS, '')
                . self::record(self::INPUT, ''),
        );

        return self::printed($answer);
    }

    private static function record(int $type, string $content): string
    {
        return pack('CCnnCC', 1, $type, 1, \strlen($content), 0, 0) . $content;
    }

    private static function printed(string $answer): string
    {
        $output = $errors = '';
        for ($at = 0; \strlen($answer) >= $at + 8; $at += 8 + $length + $padding) {
            /** @var array{type: int, length: int, padding: int} $header */
            $header = unpack('x/Ctype/x2/nlength/Cpadding', $answer, $at);
            ['type' => $type, 'length' => $length, 'padding' => $padding] = $header;
            $content = substr($answer, $at + 8, $length);
            $output .= $type === self::OUTPUT ? $content : '';
            $errors .= $type === self::ERRORS ? $content : '';
        }
        [$headers, $body] = explode("\r\n\r\n", $output, 2) + ['', ''];

        return str_contains($headers, 'Status:') || $errors !== '' ? trim($errors . ' ' . $body) : $body;
    }
}
