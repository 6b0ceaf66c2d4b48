<?php

declare(strict_types=1);

namespace Larder\Torture\Demo;

use Larder\Testbed\Http\Connection;

/** A process that asks for one page a few times a second, beside wrk, and compares the body byte for byte. */
final readonly class Verifier
{
    private int $child;

    /** @var resource */
    private mixed $pipe;

    public function __construct(int $port, string $uri, string $host, string $body, int $perSecond)
    {
        [$ours, $theirs] = self::pair();
        $this->child = pcntl_fork();
        if ($this->child === 0) {
            fclose($ours);
            self::verify(new Connection('127.0.0.1:' . $port, $host), $uri, $body, $perSecond, $theirs);
        }
        fclose($theirs);
        $this->pipe = $ours;
    }

    /** @return array{int, int} bodies that were right and wrong */
    public function stop(): array
    {
        fwrite($this->pipe, 'x');
        [$good, $bad] = explode(' ', (string) stream_get_contents($this->pipe)) + [0, 1];
        pcntl_waitpid($this->child, $status);

        return [(int) $good, (int) $bad];
    }

    /** @param resource $pipe */
    private static function verify(Connection $connection, string $uri, string $body, int $perSecond, mixed $pipe): never
    {
        $good = $bad = 0;
        stream_set_blocking($pipe, false);
        while (fread($pipe, 1) !== 'x') {
            ($connection->get($uri)['body'] ?? null) === $body ? ++$good : ++$bad;
            usleep(intdiv(1_000_000, $perSecond));
        }
        fwrite($pipe, $good . ' ' . $bad);
        // No destructor of what the parent owns may run here.
        posix_kill((int) getmypid(), SIGKILL);
        exit(1);
    }

    /** @return array<resource> two */
    private static function pair(): array
    {
        $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);

        return $pair !== false ? $pair : throw new \RuntimeException('No pair of sockets can be had.');
    }
}
