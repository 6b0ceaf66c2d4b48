<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Closure;
use Larder\Bench\Workload\CrewFailed;
use Throwable;

/**
 * A process beside the workers that writes at a given pace until it is asked for its rate, or whoever started it is gone.
 *
 * It sleeps a millisecond at a time and then does all that is due, so that its average is the pace and the processor is free between.
 */
final class Writer
{
    private const NAP = 1000;

    /** @var resource|null */
    private mixed $socket;

    private int $pid;

    /**
     * @param int                $pace  writes a second
     * @param Closure(int): void $write the n-th
     */
    public function __construct(int $pace, Closure $write)
    {
        $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        if ($pair === false) {
            throw new CrewFailed('no socket pair to talk to the writer');
        }
        $pid = pcntl_fork();
        if ($pid === -1) {
            throw new CrewFailed('the writer could not be forked');
        }
        if ($pid === 0) {
            fclose($pair[0]);
            self::work($pair[1], $pace, $write);
        }
        fclose($pair[1]);
        $this->socket = $pair[0];
        $this->pid = $pid;
    }

    public function __destruct()
    {
        if ($this->socket !== null) {
            posix_kill($this->pid, SIGKILL);
            pcntl_waitpid($this->pid, $status);
        }
    }

    /**
     * Ends it.
     *
     * @return float writes a second that it has done
     *
     * @throws CrewFailed in its own words, if it has failed
     */
    public function end(): float
    {
        if ($this->socket === null) {
            throw new CrewFailed('the writer has ended before');
        }
        stream_set_timeout($this->socket, 5);
        // One that has failed is gone and has left its words.
        @fwrite($this->socket, "end\n");
        $line = trim((string) fgets($this->socket));
        fclose($this->socket);
        $this->socket = null;
        posix_kill($this->pid, SIGKILL);
        pcntl_waitpid($this->pid, $status);

        return is_numeric($line) ? (float) $line : throw new CrewFailed('the writer: ' . ($line === '' ? 'ended without a word' : $line));
    }

    /**
     * @param resource           $socket
     * @param Closure(int): void $write
     */
    private static function work(mixed $socket, int $pace, Closure $write): never
    {
        $parent = posix_getppid();
        stream_set_blocking($socket, false);
        $begin = hrtime(true);
        $done = 0;
        try {
            while (posix_getppid() === $parent && fgets($socket) === false) {
                for ($due = (int) ((hrtime(true) - $begin) * $pace / 1e9); $done < $due; ++$done) {
                    $write($done);
                }
                usleep(self::NAP);
            }
            $line = \sprintf('%F', $done / (hrtime(true) - $begin) * 1e9);
        } catch (Throwable $thrown) {
            $line = str_replace("\n", ' ', $thrown->getMessage());
        }
        fwrite($socket, $line . "\n");
        // Not exit(): what the worker registered for its own end must not happen here.
        posix_kill(posix_getpid(), SIGKILL);
        exit(1);
    }
}
