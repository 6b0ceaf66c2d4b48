<?php

declare(strict_types=1);

namespace Larder\Tests\Sql\Locking;

use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\PostgreSql;
use Larder\Testbed\Server\ServerProcess;

/**
 * One pgbouncer before a PostgreSQL, in transaction mode: clients share its sessions, one transaction each.
 *
 * Its endpoint has the same extra fields as that of the PostgreSQL, but its own `dsn`.
 */
final class PgBouncer extends ServerProcess
{
    private const PORT = 6432;

    /** @param int $sessions of the PostgreSQL, which all clients share */
    public function __construct(
        string $directory,
        private readonly PostgreSql $server,
        private readonly int $sessions = 2,
    ) {
        $account = Account::of('postgres');
        parent::__construct('pgbouncer', $directory, $account);
        $account->own($directory);
        $this->start();
    }

    public function endpoint(): Endpoint
    {
        $extra = $this->server->endpoint()->extra;
        $dsn = \sprintf('pgsql:host=%s;port=%d;dbname=%s', $this->directory, self::PORT, $extra['database']);

        return new Endpoint('', 0, 0, $this->socket(), $this->pids(), ['dsn' => $dsn] + $extra);
    }

    public function version(): string
    {
        return 'pgbouncer';
    }

    protected function words(array $ports): array
    {
        $host = \dirname((string) $this->server->endpoint()->socket);
        $extra = $this->server->endpoint()->extra;
        file_put_contents($this->directory . '/users', \sprintf("\"%s\" \"\"\n", $extra['user']));
        file_put_contents($this->directory . '/pgbouncer.ini', implode("\n", [
            '[databases]',
            "* = host=$host port=5432",
            '[pgbouncer]',
            'listen_addr =',
            'listen_port = ' . self::PORT,
            'unix_socket_dir = ' . $this->directory,
            'auth_type = trust',
            'auth_file = ' . $this->directory . '/users',
            'pool_mode = transaction',
            'default_pool_size = ' . $this->sessions,
            '',
        ]));

        return $this->account->command([
            self::program('pgbouncer', 'pgbouncer'),
            $this->directory . '/pgbouncer.ini',
        ]);
    }

    protected function answers(array $ports, int $pid): bool
    {
        return file_exists($this->socket());
    }

    private function socket(): string
    {
        return $this->directory . '/.s.PGSQL.' . self::PORT;
    }
}
