<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Store\Net\ConnectionFailed;
use Larder\Store\Net\Exchange;
use Larder\Store\Net\Fault;
use RuntimeException;

/**
 * Asks php-fpm to run one script, on a connection of its own.
 *
 * @internal
 */
final readonly class FastCgi
{
    private const BEGIN = 1;
    private const END = 3;
    private const PARAMETERS = 4;
    private const INPUT = 5;
    private const OUTPUT = 6;
    private const ERRORS = 7;

    private const SECONDS = 5.0;

    /** Bytes of one record. */
    private const LONGEST = 65535;

    /**
     * @param string                $socket     unix socket of php-fpm
     * @param array<string, string> $parameters beside those of every request
     *
     * @return string what the script printed, without headers; if it failed, what php-fpm said; empty: nothing in time
     *
     * @throws RuntimeException if there is no connection
     */
    public static function run(string $socket, string $script, array $parameters): string
    {
        try {
            [$output, $errors] = self::ask($socket, $script, $parameters, self::SECONDS);
        } catch (ConnectionFailed $failure) {
            if ($failure->fault !== Fault::Unreachable) {
                return '';
            }
            throw new RuntimeException($failure->reason === '' ? 'no connection' : $failure->reason);
        }
        [$headers, $body] = explode("\r\n\r\n", $output, 2) + ['', ''];

        return str_contains($headers, 'Status:') || $errors !== '' ? trim($errors . ' ' . $body) : $body;
    }

    /**
     * @param array<string, string> $parameters in place of, or beside, those of every request
     * @param float                 $seconds    connecting included
     *
     * @return array{string, string, bool} what it printed and what it said of errors; and whether that is all
     *
     * @throws ConnectionFailed
     */
    public static function ask(string $socket, string $script, array $parameters, float $seconds): array
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
        $records = self::record(self::BEGIN, "\0\1\0\0\0\0\0\0");
        foreach ([...str_split($encoded, self::LONGEST), ''] as $piece) {
            $records .= self::record(self::PARAMETERS, $piece);
        }
        $deadline = (int) hrtime(true) + (int) ($seconds * 1e9);

        return self::read(Exchange::with(
            'unix:' . $socket,
            $records . self::record(self::INPUT, ''),
            null,
            $deadline,
        ));
    }

    private static function record(int $type, string $content): string
    {
        return pack('CCnnCC', 1, $type, 1, \strlen($content), 0, 0) . $content;
    }

    /** @return array{string, string, bool} */
    private static function read(string $answer): array
    {
        $output = $errors = '';
        for ($at = 0; \strlen($answer) >= $at + 8; $at += 8 + $length + $padding) {
            /** @var array{type: int, length: int, padding: int} $header */
            $header = unpack('x/Ctype/x2/nlength/Cpadding', $answer, $at);
            ['type' => $type, 'length' => $length, 'padding' => $padding] = $header;
            $content = substr($answer, $at + 8, $length);
            $output .= $type === self::OUTPUT ? $content : '';
            $errors .= $type === self::ERRORS ? $content : '';
            if ($type === self::END) {
                return [$output, $errors, true];
            }
        }

        return [$output, $errors, false];
    }
}
