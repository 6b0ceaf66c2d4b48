<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

/**
 * How many bytes a second this machine moves through its own TCP: a reader and a writer that do nothing else. A page
 * that comes near that rate is limited by memory and kernel, and not by what made the page.
 */
final readonly class Loopback
{
    private const SECONDS = 0.06;
    private const BLOCK = 262_144;

    /** From this share of the rate on, the bytes are the limit. */
    public const NEAR = 0.5;

    /** Megabytes per second that every machine can move. Below them it is not measured. */
    public const SLOWEST = 200.0;

    /** @return float|null megabytes per second; null: it cannot be measured */
    public function megabytes(): ?float
    {
        $server = @stream_socket_server('tcp://127.0.0.1:0');
        if ($server === false) {
            return null;
        }
        $writer = pcntl_fork();
        if ($writer === 0) {
            $this->write((string) stream_socket_get_name($server, false));
        }
        $socket = $writer === -1 ? false : @stream_socket_accept($server, 2.0);
        if ($socket !== false) {
            // PHP reads by 8 KB otherwise.
            stream_set_read_buffer($socket, 0);
        }
        $bytes = 0;
        $begin = hrtime(true);
        $now = $begin + 1;
        while ($socket !== false && $now - $begin < self::SECONDS * 1e9) {
            $more = fread($socket, self::BLOCK);
            if ($more === false || $more === '') {
                break;
            }
            $bytes += \strlen($more);
            $now = hrtime(true);
        }
        if ($writer > 0) {
            posix_kill($writer, SIGKILL);
            pcntl_waitpid($writer, $status);
        }

        return $bytes === 0 ? null : $bytes / ($now - $begin) * 1e3;
    }

    private function write(string $address): never
    {
        $socket = @stream_socket_client('tcp://' . $address, $code, $words, 2.0);
        if ($socket !== false) {
            stream_set_write_buffer($socket, 0);
            stream_set_chunk_size($socket, self::BLOCK);
        }
        $block = str_repeat('x', self::BLOCK);
        while ($socket !== false && (int) @fwrite($socket, $block) > 0);
        // No destructor of what the parent owns may run here.
        posix_kill((int) getmypid(), SIGKILL);
        exit(1);
    }
}
