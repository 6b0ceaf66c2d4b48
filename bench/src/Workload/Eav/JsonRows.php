<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\SubjectFailed;
use Memcached;

/** Arrays in memcached as JSON, which a program in any language reads. */
final class JsonRows
{
    /** Keys in one call. */
    private const AT_ONCE = 1000;

    private readonly Memcached $client;
    private readonly string $prefix;

    public function __construct(Context $context)
    {
        $server = $context->endpoints[0] ?? throw SubjectFailed::connecting('memcached', 'no server was named');
        $this->prefix = $context->prefix . 'shop:';
        $this->client = new Memcached();
        $this->client->setOptions([
            Memcached::OPT_COMPRESSION => false,
            Memcached::OPT_TCP_NODELAY => true,
            Memcached::OPT_CONNECT_TIMEOUT => (int) ($context->timeout * 1e3),
            Memcached::OPT_POLL_TIMEOUT => (int) ($context->timeout * 1e3),
        ]);
        $server->socket !== null ? $this->client->addServer($server->socket, 0) : $this->client->addServer($server->host, $server->port);
        $this->client->getVersion();
        if ($this->client->getResultCode() !== Memcached::RES_SUCCESS) {
            throw SubjectFailed::connecting($server->socket ?? $server->host . ':' . $server->port, $this->client->getResultMessage());
        }
    }

    public function close(): void
    {
        $this->client->quit();
    }

    /** @param array<string, array<mixed>> $rows by key */
    public function set(array $rows): void
    {
        foreach (array_chunk($rows, self::AT_ONCE, true) as $chunk) {
            $values = [];
            foreach ($chunk as $key => $row) {
                $values[$this->prefix . $key] = json_encode($row, JSON_THROW_ON_ERROR);
            }
            if (!$this->client->setMulti($values)) {
                throw SubjectFailed::during('setMulti', array_key_first($values), $this->client->getResultMessage());
            }
        }
    }

    /**
     * @param list<string> $keys
     *
     * @return array<string, array<mixed>> those that are there, by key
     */
    public function get(array $keys): array
    {
        $rows = [];
        foreach (array_chunk($keys, self::AT_ONCE) as $chunk) {
            $found = $this->client->getMulti(array_map(fn(string $key): string => $this->prefix . $key, $chunk));
            if (!\is_array($found)) {
                throw SubjectFailed::during('getMulti', $chunk[0], $this->client->getResultMessage());
            }
            foreach ($found as $key => $json) {
                $row = \is_string($json) ? json_decode($json, true) : null;
                if (\is_array($row)) {
                    $rows[substr($key, \strlen($this->prefix))] = $row;
                }
            }
        }

        return $rows;
    }
}
