<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/**
 * Hands out ports of 127.0.0.1, each to one process of this user for as long as it lives: a server binds its port a
 * moment after it was chosen, and processes that start servers side by side must not choose the same one meanwhile.
 *
 * The ports lie below those that the kernel gives to clients, which nobody could keep a client from.
 */
final readonly class Ports
{
    private const FIRST = 10_000;
    private const CLIENTS = '/proc/sys/net/ipv4/ip_local_port_range';

    /** @param string $file process by port, four bytes each */
    public function __construct(
        private string $file,
        private int $first,
        private int $last,
    ) {}

    /** A port that nothing is bound to and that no living process was given. */
    public static function free(): int
    {
        $client = (int) @file_get_contents(self::CLIENTS);
        $last = $client > self::FIRST + 1000 ? $client - 1 : 32_767;

        return (new self(sys_get_temp_dir() . '/larder-ports-' . posix_geteuid(), self::FIRST, $last))->take();
    }

    /** @throws ServerFailed */
    public function take(): int
    {
        $file = fopen($this->file, 'c+');
        if ($file === false || !flock($file, LOCK_EX)) {
            throw ServerFailed::because('cannot lock ' . $this->file);
        }
        try {
            $count = $this->last - $this->first + 1;
            $start = random_int(0, $count - 1);
            for ($try = 0; $try < $count; ++$try) {
                $port = $this->first + ($start + $try) % $count;
                if (!self::isTaken($file, $port) && self::isUnbound($port)) {
                    fseek($file, 4 * $port);
                    fwrite($file, pack('V', getmypid()));

                    return $port;
                }
            }
        } finally {
            fclose($file);
        }
        throw ServerFailed::because('there is no free port on 127.0.0.1');
    }

    /** @param resource $file */
    private static function isTaken($file, int $port): bool
    {
        fseek($file, 4 * $port);
        $found = unpack('V', str_pad((string) fread($file, 4), 4, "\0"));
        $pid = \is_array($found) && \is_int($found[1]) ? $found[1] : 0;

        return $pid !== 0 && is_dir('/proc/' . $pid);
    }

    private static function isUnbound(int $port): bool
    {
        $socket = @stream_socket_server('tcp://127.0.0.1:' . $port);

        return $socket !== false && fclose($socket);
    }
}
