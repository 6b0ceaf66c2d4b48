<?php

declare(strict_types=1);

namespace Larder\Discovery;

use Larder\Exception\InvalidServer;

/**
 * Collects servers and their weights, and checks each one.
 *
 * @internal
 */
final class ServerList
{
    private const HEAVIEST = 1000;

    /** @var array<string, int<1, 1000>> */
    private array $weights = [];

    public function add(string $server, int|string $weight = 1): void
    {
        if (!self::isServer($server)) {
            throw InvalidServer::written($server);
        }
        if (\is_string($weight) && preg_match('/^[0-9]{1,4}$/D', $weight) !== 1) {
            throw InvalidServer::weight($server, $weight);
        }
        $number = (int) $weight;
        if ($number < 1 || $number > self::HEAVIEST) {
            throw InvalidServer::weight($server, (string) $weight);
        }
        if (isset($this->weights[$server])) {
            throw InvalidServer::twice($server);
        }
        $this->weights[$server] = $number;
    }

    /** @return non-empty-array<string, int<1, 1000>> weights by server, sorted by server */
    public function all(): array
    {
        ksort($this->weights, SORT_STRING);

        return $this->weights === [] ? throw InvalidServer::none() : $this->weights;
    }

    /**
     * Brings weights of any size into the allowed range; 0 becomes the smallest.
     *
     * @param array<string, int> $weights by server
     *
     * @return non-empty-array<string, int<1, 1000>>
     */
    public static function scaled(array $weights): array
    {
        $heaviest = max([0, ...array_values($weights)]);
        $list = new self();
        foreach ($weights as $server => $weight) {
            $list->add(
                $server,
                max(1, $heaviest > self::HEAVIEST ? (int) round($weight * self::HEAVIEST / $heaviest) : $weight),
            );
        }

        return $list->all();
    }

    /** @return non-empty-string */
    public static function written(string $host, int $port, bool $tls): string
    {
        $host = str_contains($host, ':') ? "[$host]" : $host;

        return ($tls ? 'tls://' : '') . $host . ':' . $port;
    }

    private static function isServer(string $text): bool
    {
        if (preg_match('~^unix:/[^\x00-\x20\x7f]+$~D', $text) === 1) {
            return true;
        }
        if (preg_match(
            '~^(?:tls://)?(?:\[([0-9A-Fa-f:.]+)\]|[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_.])?)(?::([0-9]{1,5}))?$~D',
            $text,
            $found,
            PREG_UNMATCHED_AS_NULL,
        ) !== 1) {
            return false;
        }
        $port = (int) ($found[2] ?? 11211);

        return $port >= 1
            && $port <= 65535
            && (!isset($found[1]) || filter_var($found[1], FILTER_VALIDATE_IP, FILTER_FLAG_IPV6) !== false);
    }
}
