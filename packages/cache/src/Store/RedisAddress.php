<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Exception\InvalidServer;

/**
 * A Redis server as it stands in a configuration:
 *
 *     host  host:port  [::1]:6379  tls://host:port  unix:/path
 *     any of them with ?db=1&user=site&password=a%26b
 *
 * @internal
 */
final readonly class RedisAddress
{
    private function __construct(
        /** Without the query, which may hold a password, for the log. */
        public string $name,
        /** Without brackets; the path of a Unix socket. */
        public string $host,
        /** 0 for a Unix socket. */
        public int $port,
        public bool $isTls,
        public int $database,
        public ?string $user,
        public ?string $password,
    ) {}

    /** @throws InvalidServer */
    public static function written(string $text): self
    {
        [$name, $query] = explode('?', $text, 2) + [1 => ''];
        if (preg_match(
            '~^(?:unix:(?<path>/.+)|(?<tls>tls://)?(?:\[(?<ip>[0-9a-fA-F:.]+)\]|(?<host>[^:/\[\]\s]+))'
            . '(?::(?<port>\d{1,5}))?)$~D',
            $name,
            $found,
            PREG_UNMATCHED_AS_NULL,
        ) !== 1) {
            throw self::wrong(
                $name,
                'Written are "host", "host:port", "[::1]:6379", "tls://host:port" and "unix:/path"',
            );
        }
        $port = (int) ($found['port'] ?? 6379);
        if ($port < 1 || $port > 65535) {
            throw self::wrong($name, 'A port is 1 to 65535');
        }
        parse_str($query, $options);
        $database = $options['db'] ?? '0';
        if (
            array_diff(array_keys($options), ['db', 'user', 'password']) !== []
            || !\is_string($database)
            || preg_match('/^\d{1,9}$/D', $database) !== 1
        ) {
            throw self::wrong(
                $name,
                'Behind the question mark stand db, a number, user and password, and nothing else',
            );
        }
        $user = $options['user'] ?? null;
        $password = $options['password'] ?? null;
        if (\is_array($user) || \is_array($password) || ($user !== null && $password === null)) {
            throw self::wrong($name, 'A user needs a password');
        }

        return new self(
            $name,
            $found['path'] ?? $found['ip'] ?? $found['host'] ?? '',
            $found['path'] === null ? $port : 0,
            $found['tls'] !== null,
            (int) $database,
            $user,
            $password,
        );
    }

    /** Its name in the ring. */
    public function inRing(): string
    {
        return $this->host . ':' . $this->port;
    }

    /** @return list<non-empty-list<string>> the first commands on each connection */
    public function greeting(): array
    {
        return [
            ...(
                $this->password === null
                    ? []
                    : [['AUTH', ...($this->user === null ? [] : [$this->user]), $this->password]]
            ),
            ...($this->database === 0 ? [] : [['SELECT', (string) $this->database]]),
        ];
    }

    private static function wrong(string $name, string $reason): InvalidServer
    {
        return InvalidServer::because(
            \sprintf(
                '%s is not a Redis server. %s.',
                json_encode($name, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR),
                $reason,
            ),
        );
    }
}
