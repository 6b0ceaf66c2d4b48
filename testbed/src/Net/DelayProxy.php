<?php

declare(strict_types=1);

namespace Larder\Testbed\Net;

use Larder\Testbed\Process\Extension;
use Larder\Testbed\Server\Daemon;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\ServerFailed;

/**
 * A server as if it stood at the other end of a network: the same server, with a round trip time added, on a port of
 * its own.
 *
 * A network namespace with `tc netem` would do it without a process in between, but needs root and a kernel with
 * sch_netem. Here bytes pass through a process of PHP. Its CPU time is in nobody's figure, since the pids are the
 * server's; with few cores it takes time from the others. Its own share of the way, two more trips through loopback, is
 * measured at the start and taken off the delay. achieved() measures what is added then.
 *
 * Connecting is delayed too, as part of the first request. UDP is not forwarded.
 */
final class DelayProxy
{
    /** Questions to measure by, at most, and what they may take in milliseconds. */
    private const QUESTIONS = 60;
    private const PATIENCE = 150;

    /** Milliseconds of a delay beside which the proxy's own share is nothing. */
    private const LONG = 20.0;

    /**
     * Nanoseconds, the most that is believed to be the proxy's share of a way: on a busy machine it seems to be more.
     */
    private const SHARE = 100_000;

    private Daemon $daemon;
    private int $port;

    /**
     * @param string $directory for its output; exists
     * @param float  $milliseconds to be added to the round trip
     * @param int    $cut          bytes of replies after which a connection is cut off; 0: never
     */
    public function __construct(
        private readonly string $directory,
        private readonly Endpoint $server,
        private readonly float $milliseconds,
        int $cut = 0,
    ) {
        $each = (int) round($milliseconds * 1e6 / 2);
        $this->start($each, $cut);
        if ($each === 0 || $cut > 0 || $milliseconds >= self::LONG) {
            return;
        }
        // The quick quarter of the trips: what slowed the others down is not the proxy's.
        $over = (int) (($this->added(0.25) - $milliseconds) * 1e6 / 2);
        if ($over > 0) {
            $this->daemon->stop();
            $this->start(max(0, $each - min($over, self::SHARE)), $cut);
        }
    }

    public function __destruct()
    {
        $this->stop();
    }

    /** The server's, but for the port. */
    public function endpoint(): Endpoint
    {
        return new Endpoint('127.0.0.1', $this->port, 0, null, $this->server->pids, $this->server->extra);
    }

    /**
     * Milliseconds by which a round trip is longer than without, as measured now: the median of some trips each, taken
     * in turns.
     *
     * Works for servers that answer any line with a line, as memcached and Redis do.
     */
    public function achieved(): float
    {
        return $this->added(0.5);
    }

    /** @phpstan-impure */
    public function isRunning(): bool
    {
        return $this->daemon->isRunning();
    }

    public function stop(): void
    {
        $this->daemon->stop();
    }

    private function added(float $share): float
    {
        $streams = [];
        foreach ([self::address($this->server), 'tcp://127.0.0.1:' . $this->port] as $address) {
            $context = stream_context_create(['socket' => ['tcp_nodelay' => true]]);
            $stream = @stream_socket_client($address, $code, $reason, 1.0, STREAM_CLIENT_CONNECT, $context);
            if ($stream === false) {
                throw ServerFailed::because("the delayed server does not answer: {$reason}");
            }
            stream_set_timeout($stream, 2);
            $streams[] = $stream;
        }
        $times = [[], []];
        $questions = max(8, min(self::QUESTIONS, (int) (self::PATIENCE / max(1.0, $this->milliseconds))));
        for ($question = -2; $question < $questions; ++$question) {
            foreach ($streams as $way => $stream) {
                $begin = hrtime(true);
                fwrite($stream, "PING\r\n");
                if (fgets($stream) === false) {
                    throw ServerFailed::because('the delayed server does not answer');
                }
                // The first ones connect.
                if ($question >= 0) {
                    $times[$way][] = hrtime(true) - $begin;
                }
            }
        }
        sort($times[0]);
        sort($times[1]);
        $place = (int) ($questions * $share);

        return (($times[1][$place] ?? 0) - ($times[0][$place] ?? 0)) / 1e6;
    }

    private function start(int $nanoseconds, int $cut): void
    {
        $output = $this->directory . '/delay-' . bin2hex(random_bytes(4)) . '.out';
        // Without php.ini: each extension that the proxy does not need would make the start longer.
        $arguments = [self::address($this->server), (string) $nanoseconds, (string) $cut];
        $command = [...Extension::bare('posix', 'sockets'), __DIR__ . '/scripts/delay-proxy', ...$arguments];
        $this->daemon = new Daemon('the delaying proxy', $command, ['PATH' => (string) getenv('PATH')], $output);
        $this->daemon->awaitReady(
            static fn(): bool => str_contains((string) @file_get_contents($output), "\n"),
            $output,
        );
        if (preg_match('/^port ([0-9]+)$/m', (string) file_get_contents($output), $found) !== 1) {
            $this->daemon->stop();
            throw ServerFailed::ended('the delaying proxy', $output);
        }
        $this->port = (int) $found[1];
    }

    private static function address(Endpoint $server): string
    {
        return $server->port > 0 ? "tcp://{$server->host}:{$server->port}" : 'unix://' . $server->socket;
    }
}
