<?php

declare(strict_types=1);

namespace Larder\Console\Warm;

/** Requests over HTTP/1.1, each on a connection of its own. Of an answer only the head is kept. */
final class HttpRequests implements Requests
{
    /** Seconds for a connection, which is to this machine or one beside it. */
    private const CONNECTING = 3.0;

    /** @var array<int, HttpRequest> by number of the stream */
    private array $running = [];

    /** @var list<Answer> */
    private array $ended = [];

    /**
     * @param string $address `127.0.0.1:80`, `unix:/path` or `https://127.0.0.1:443`; a certificate is not looked at
     * @param float  $seconds for each request
     */
    public function __construct(
        private readonly string $address,
        private readonly string $host,
        private readonly float $seconds,
    ) {}

    public function start(string $uri): void
    {
        $url = match (true) {
            str_starts_with($this->address, 'unix:/') => 'unix://' . substr($this->address, 5),
            str_starts_with($this->address, 'https://') => 'tls://' . substr($this->address, 8),
            default => 'tcp://' . $this->address,
        };
        $context = stream_context_create(['ssl' => [
            'verify_peer' => false,
            'verify_peer_name' => false,
            'peer_name' => $this->host,
        ]]);
        $deadline = (int) hrtime(true) + (int) ($this->seconds * 1e9);
        $connecting = min(self::CONNECTING, $this->seconds);
        $stream = @stream_socket_client($url, $code, $reason, $connecting, context: $context);
        if ($stream === false) {
            $reason = (string) $reason === '' ? 'no connection' : (string) $reason;
            $this->ended[] = new Answer($uri, Outcome::Failed, 0, $reason);

            return;
        }
        stream_set_blocking($stream, false);
        $question = "GET $uri HTTP/1.1\r\nHost: {$this->host}\r\nUser-Agent: larder warm\r\n"
            . "Accept-Encoding: gzip\r\nConnection: close\r\n\r\n";
        $this->running[(int) $stream] = new HttpRequest($uri, $stream, $question, $deadline);
    }

    public function wait(?float $seconds): array
    {
        if ($this->ended === [] && $this->running === [] && $seconds !== null) {
            usleep((int) ceil($seconds * 1e6));
        } elseif ($this->ended === []) {
            $this->turn($seconds);
        }
        $ended = $this->ended;
        $this->ended = [];

        return $ended;
    }

    private function turn(?float $seconds): void
    {
        $deadline = $seconds === null ? PHP_INT_MAX : (int) hrtime(true) + (int) ceil($seconds * 1e9);
        $read = $write = [];
        foreach ($this->running as $request) {
            $read[] = $request->stream;
            $deadline = min($deadline, $request->deadline);
            if (!$request->isSent()) {
                $write[] = $request->stream;
            }
        }
        $except = null;
        $left = max(0, intdiv($deadline - (int) hrtime(true), 1000) + 1);
        if (@stream_select($read, $write, $except, intdiv($left, 1_000_000), $left % 1_000_000) === false) {
            return;
        }
        foreach ($write as $stream) {
            $this->running[(int) $stream]->send();
        }
        foreach ($read as $stream) {
            $this->end((int) $stream, $this->running[(int) $stream]->read());
        }
        $now = (int) hrtime(true);
        foreach ($this->running as $number => $request) {
            if ($request->deadline <= $now) {
                $this->end($number, $request->failed("no answer within {$this->seconds} s"));
            }
        }
    }

    private function end(int $number, ?Answer $answer): void
    {
        if ($answer !== null) {
            fclose($this->running[$number]->stream);
            unset($this->running[$number]);
            $this->ended[] = $answer;
        }
    }
}
