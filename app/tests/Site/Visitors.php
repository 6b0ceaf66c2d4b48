<?php

declare(strict_types=1);

namespace App\Tests\Site;

use Closure;
use Larder\Testbed\Http\Response;
use RuntimeException;

/** Many visitors who want one page at the same time. */
final readonly class Visitors
{
    private const PATIENCE = 20;

    /**
     * @param (Closure(): void)|null $meanwhile called again and again while somebody waits
     *
     * @return list<array{answer: Response, seconds: float}> seconds: from the request to the last byte, as the client
     *     saw it
     */
    public static function get(string $address, string $uri, int $visitors, ?Closure $meanwhile = null): array
    {
        $waiting = self::connected($address, $visitors);
        $begun = $ended = $received = [];
        foreach ($waiting as $visitor => $stream) {
            $begun[$visitor] = hrtime(true);
            $received[$visitor] = '';
            fwrite($stream, "GET {$uri} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        }
        $deadline = hrtime(true) + self::PATIENCE * 1_000_000_000;
        while ($waiting !== []) {
            $ready = $waiting;
            $write = $except = null;
            if (hrtime(true) > $deadline || stream_select($ready, $write, $except, 0, 5_000) === false) {
                throw new RuntimeException(\count($waiting) . ' visitors still wait for ' . $uri);
            }
            foreach ($ready as $visitor => $stream) {
                $received[$visitor] .= (string) fread($stream, 65536);
                if (feof($stream)) {
                    $ended[$visitor] = hrtime(true);
                    fclose($stream);
                    unset($waiting[$visitor]);
                }
            }
            if ($meanwhile !== null) {
                $meanwhile();
            }
        }

        return array_map(
            static fn(int $visitor): array => [
                'answer' => Response::parse($received[$visitor]),
                'seconds' => ($ended[$visitor] - $begun[$visitor]) / 1e9,
            ],
            array_keys($received),
        );
    }

    /** @return array<int, resource> */
    private static function connected(string $address, int $visitors): array
    {
        $streams = [];
        for ($visitor = 0; $visitor < $visitors; ++$visitor) {
            $stream = stream_socket_client('tcp://' . $address, timeout: 5);
            if ($stream === false) {
                throw new RuntimeException('No connection to ' . $address);
            }
            stream_set_blocking($stream, false);
            $streams[] = $stream;
        }

        return $streams;
    }
}
