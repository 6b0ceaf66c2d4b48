<?php

declare(strict_types=1);

namespace Larder\Edge;

use Larder\Edge\Exception\EdgeFailed;
use Larder\Edge\Exception\InvalidEdge;
use Larder\Store\Net\StreamSocket;
use SensitiveParameter;

/**
 * Varnish servers with vmod_xkey, as VarnishConfig prints their VCL. Each gets a request `PURGE /` with the keys in the
 * header `xkey-purge`, all at once. Another server that takes such a request does as well.
 */
final readonly class VarnishEdge implements Edge
{
    /** Bytes of keys in one request: Varnish takes a line of a header up to 8192 bytes (http_req_hdr_len). */
    private const LONGEST = 7000;

    /**
     * @param non-empty-list<string> $servers      `10.0.0.1:6081` each; an IPv6 address in brackets
     * @param int                    $milliseconds for one purge on all servers together
     * @param string|null            $secret       that Varnish wants to see in the header `xkey-secret`: 16 to 200
     *     letters, digits, `-` and `_`; null: it goes by the address of who purges
     *
     * @throws InvalidEdge
     */
    public function __construct(
        private array $servers,
        private int $milliseconds = 1000,
        #[SensitiveParameter]
        public ?string $secret = null,
    ) {
        foreach ($servers as $server) {
            if (preg_match('~^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):[1-9][0-9]{0,4}$~D', $server) !== 1) {
                throw InvalidEdge::because(\sprintf('edge: "%s" is no host:port', $server));
            }
        }
        if ($milliseconds < 1) {
            throw InvalidEdge::because('edge: milliseconds must be above 0');
        }
        if ($secret !== null && preg_match('/^[A-Za-z0-9_-]{16,200}$/D', $secret) !== 1) {
            throw InvalidEdge::because('edge: the secret is not 16 to 200 letters, digits, - and _');
        }
    }

    public function purge(array $keys): void
    {
        $deadline = (int) hrtime(true) + $this->milliseconds * 1_000_000;
        $requests = $this->requests($keys);
        $asked = [];
        foreach ($this->servers as $server) {
            $asked[] = new PurgeConnection($server, $requests);
        }
        do {
            $reading = $writing = [];
            foreach ($asked as $number => $connection) {
                $socket = $connection->socket();
                if ($socket !== null && $connection->wants()) {
                    $writing[$number] = $socket;
                } elseif ($socket !== null) {
                    $reading[$number] = $socket;
                }
            }
            // One look more after the deadline, in which this process may not have run.
            $isLate = hrtime(true) >= $deadline;
            if (($reading === [] && $writing === []) || !StreamSocket::await($reading, $writing, $deadline)) {
                break;
            }
            foreach (array_keys($reading + $writing) as $number) {
                $asked[$number]->step();
            }
        } while (!$isLate);
        $causes = [];
        foreach ($asked as $connection) {
            $cause = $connection->end($this->milliseconds);
            if ($cause !== null) {
                $causes[$connection->server] = $cause;
            }
        }
        if ($causes !== []) {
            throw EdgeFailed::at($causes);
        }
    }

    /**
     * @param non-empty-list<string> $keys
     *
     * @return non-empty-list<string>
     */
    private function requests(array $keys): array
    {
        $lines = [''];
        foreach ($keys as $key) {
            $last = \count($lines) - 1;
            $longer = ltrim($lines[$last] . ' ' . $key);
            \strlen($longer) > self::LONGEST && $lines[$last] !== '' ? $lines[] = $key : $lines[$last] = $longer;
        }

        $secret = $this->secret === null ? '' : "xkey-secret: $this->secret\r\n";

        return array_map(
            static fn(string $line): string
                => "PURGE / HTTP/1.1\r\nHost: larder\r\n{$secret}xkey-purge: $line\r\n\r\n",
            $lines,
        );
    }
}
