<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use PDO;
use PDOException;

/** @internal What a mysqli was connected with, for another connection to the same database. */
final class ConnectionParameters
{
    private string $host = '';

    private string $user = '';

    private string $password = '';

    private string $database = '';

    private int $port = 0;

    private string $socket = '';

    /** @var array<int, mixed> of PDO */
    private array $options = [];

    private bool $hasTls = false;

    public function option(int $option, string|int $value): void
    {
        if ($option === MYSQLI_OPT_CONNECT_TIMEOUT) {
            $this->options[PDO::ATTR_TIMEOUT] = (int) $value;
        } elseif ($option === MYSQLI_OPT_SSL_VERIFY_SERVER_CERT) {
            $this->options[PDO::MYSQL_ATTR_SSL_VERIFY_SERVER_CERT] = (bool) $value;
        }
    }

    public function tls(?string $key, ?string $certificate, ?string $ca, ?string $path, ?string $cipher): void
    {
        $this->hasTls = true;
        $this->options = array_filter([
            PDO::MYSQL_ATTR_SSL_KEY => $key,
            PDO::MYSQL_ATTR_SSL_CERT => $certificate,
            PDO::MYSQL_ATTR_SSL_CA => $ca,
            PDO::MYSQL_ATTR_SSL_CAPATH => $path,
            PDO::MYSQL_ATTR_SSL_CIPHER => $cipher,
        ], static fn(?string $value): bool => $value !== null) + $this->options;
    }

    public function connected(
        ?string $host,
        ?string $user,
        #[\SensitiveParameter]
        ?string $password,
        ?string $database,
        ?int $port,
        ?string $socket,
        int $flags,
    ): void {
        $this->host = $host ?? (string) \ini_get('mysqli.default_host');
        $this->user = $user ?? (string) \ini_get('mysqli.default_user');
        $this->password = $password ?? (string) \ini_get('mysqli.default_pw');
        $this->database = $database ?? '';
        $this->port = $port ?? (int) \ini_get('mysqli.default_port');
        $this->socket = $socket ?? (string) \ini_get('mysqli.default_socket');
        if (($flags & MYSQLI_CLIENT_SSL_DONT_VERIFY_SERVER_CERT) !== 0) {
            $this->options[PDO::MYSQL_ATTR_SSL_VERIFY_SERVER_CERT] = false;
        }
        if (($flags & (MYSQLI_CLIENT_SSL | MYSQLI_CLIENT_SSL_DONT_VERIFY_SERVER_CERT)) !== 0 && !$this->hasTls) {
            // PDO has no such flag, but a list of ciphers asks for TLS too. By itself it checks no certificate.
            $this->options += [
                PDO::MYSQL_ATTR_SSL_CIPHER => 'DEFAULT',
                PDO::MYSQL_ATTR_SSL_VERIFY_SERVER_CERT => ($flags & MYSQLI_CLIENT_SSL_VERIFY_SERVER_CERT) !== 0,
            ];
        }
    }

    /** The first that is selected is the one of the pages. */
    public function selected(string $database): void
    {
        $this->database = $this->database === '' ? $database : $this->database;
    }

    /** Another one for another database or user. */
    public function account(): string
    {
        return hash('xxh128', implode("\0", [$this->host, $this->port, $this->socket, $this->database, $this->user]));
    }

    /** @throws PDOException */
    public function open(): PDO
    {
        $isLocal = \in_array($this->host, ['', 'localhost'], true);
        $place = $isLocal && $this->socket !== ''
            ? 'unix_socket=' . $this->socket
            : 'host=' . $this->host . ($this->port > 0 ? ';port=' . $this->port : '');

        return new PDO(
            \sprintf('mysql:%s%s', $place, $this->database === '' ? '' : ';dbname=' . $this->database),
            $this->user,
            $this->password,
            [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION] + $this->options,
        );
    }
}
