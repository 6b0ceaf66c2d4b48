<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/**
 * One MariaDB on a unix socket and a port, with the HandlerSocket plugin of its package on two more ports.
 *
 * A commit reaches the log file at once and the disk within a second (innodb_flush_log_at_trx_commit=2): no cache that it is
 * compared with survives a power failure, and so nobody waits for the disk. There is no query cache. Threads are kept when their
 * connections end, so that no CPU time is lost to the account.
 *
 * Endpoint::$extra:
 *
 * | key                  | |
 * | -------------------- | --- |
 * | database             | `bench`, empty, utf8mb4 |
 * | user, password       | may do everything, over socket and port |
 * | handlersocket        | port for reading; absent where the plugin is |
 * | handlersocket-write  | port for reading and writing |
 * | handlersocket-secret | what `A 1 <secret>` has to say on either port before anything else |
 */
final class MariaDb implements Server
{
    private const DATABASE = 'bench';
    private const USER = 'bench';

    private readonly string $password;
    private readonly string $secret;
    private readonly Launch $launch;
    private readonly string $version;
    private bool $plugin = true;

    /**
     * @param string    $directory its own; made if need be. A database that is in it is used as it is
     * @param list<int> $ports     SQL, HandlerSocket's reading and writing ones: to be tried first; 0: any that is free
     */
    public function __construct(private readonly string $directory, array $ports = [0, 0, 0])
    {
        $program = Program::find('mariadbd') ?? throw ServerFailed::missing('mariadbd', 'mariadb-server');
        $this->password = bin2hex(random_bytes(12));
        $this->secret = bin2hex(random_bytes(12));
        if (!is_dir($directory)) {
            mkdir($directory, recursive: true);
        }
        $this->introduce();
        $account = RunAs::packaged('mysql', $directory);
        if (!is_dir($this->data() . '/mysql')) {
            $this->install($account);
        }
        $this->launch = Launch::of(
            'mariadbd',
            $this->log(),
            $ports,
            $account,
            fn(array $ports): array => [$program, ...$this->options($ports), ...($account->isRoot() ? ['--user=root'] : [])],
            fn(array $ports): bool => $this->answers($ports),
            30.0,
        );
        $this->version = 'mariadb ' . (preg_match('/Starting MariaDB (\S+)/', (string) file_get_contents($this->log()), $found) === 1 ? $found[1] : 'of an unknown version')
            . ', InnoDB, flush_log_at_trx_commit=2, buffer pool 128 MB' . ($this->plugin ? ', HandlerSocket' : ', no HandlerSocket');
    }

    public function __destruct()
    {
        $this->stop();
    }

    public function endpoint(): Endpoint
    {
        [$port, $read, $write] = [...$this->launch->ports, 0, 0, 0];
        $plugin = $this->plugin ? ['handlersocket' => (string) $read, 'handlersocket-write' => (string) $write, 'handlersocket-secret' => $this->secret] : [];

        return new Endpoint('127.0.0.1', $port, 0, $this->socket(), $this->isRunning() ? ProcessTree::of($this->launch->daemon->pid) : [], [
            'database' => self::DATABASE,
            'user' => self::USER,
            'password' => $this->password,
            ...$plugin,
        ]);
    }

    public function version(): string
    {
        return $this->version;
    }

    public function command(): string
    {
        return str_replace($this->secret, '(random)', implode(' ', $this->launch->command));
    }

    public function isRunning(): bool
    {
        return $this->launch->daemon->isRunning();
    }

    public function stop(): void
    {
        $this->launch->daemon->stop();
    }

    /** What is executed at each start, before anybody can connect. */
    private function introduce(): void
    {
        $file = $this->directory . '/init.sql';
        touch($file);
        chmod($file, 0o600);
        file_put_contents($file, implode("\n", [
            'CREATE DATABASE IF NOT EXISTS ' . self::DATABASE . ' CHARACTER SET utf8mb4;',
            \sprintf("CREATE OR REPLACE USER %s@'%%' IDENTIFIED BY '%s';", self::USER, $this->password),
            \sprintf("GRANT ALL ON *.* TO %s@'%%';", self::USER),
            '',
        ]));
    }

    private function install(RunAs $account): void
    {
        $program = Program::find('mariadb-install-db') ?? throw ServerFailed::missing('mariadb-install-db', 'mariadb-server');
        $log = $this->directory . '/install.out';
        $command = $account->command([
            $program, '--no-defaults', '--datadir=' . $this->data(), '--skip-test-db', '--skip-name-resolve',
            // Nothing here has to survive a crash of the machine.
            '--innodb-log-file-size=4M', '--innodb-buffer-pool-size=16M', '--innodb-flush-log-at-trx-commit=0', '--innodb-flush-method=nosync',
            ...($account->isRoot() ? ['--user=root'] : []),
        ]);
        exec('timeout 60 ' . implode(' ', array_map(escapeshellarg(...), $command)) . ' </dev/null >' . escapeshellarg($log) . ' 2>&1', $output, $status);
        if ($status !== 0) {
            throw ServerFailed::ended('mariadb-install-db', $log);
        }
    }

    /**
     * @param array<int, int> $ports
     *
     * @return list<string>
     */
    private function options(array $ports): array
    {
        [$port, $read, $write] = [...array_values($ports), 0, 0, 0];

        return [
            '--no-defaults',
            '--datadir=' . $this->data(),
            '--tmpdir=' . $this->directory,
            '--pid-file=' . $this->directory . '/mariadb.pid',
            '--socket=' . $this->socket(),
            '--bind-address=127.0.0.1',
            '--port=' . $port,
            '--init-file=' . $this->directory . '/init.sql',
            '--skip-name-resolve',
            '--character-set-server=utf8mb4',
            '--max-connections=512',
            '--thread-cache-size=512',
            '--query-cache-type=0',
            '--query-cache-size=0',
            '--innodb-buffer-pool-size=128M',
            '--innodb-log-file-size=64M',
            '--innodb-flush-log-at-trx-commit=2',
            '--innodb-fast-shutdown=3',
            '--plugin-maturity=beta',
            '--plugin-load-add=handlersocket.so',
            '--loose-handlersocket-address=127.0.0.1',
            '--loose-handlersocket-port=' . $read,
            '--loose-handlersocket-port-wr=' . $write,
            '--loose-handlersocket-plain-secret=' . $this->secret,
        ];
    }

    /**
     * The log and the sockets are this server's alone; on the plugin's ports its secret tells who answers.
     *
     * @param array<int, int> $ports
     */
    private function answers(array $ports): bool
    {
        $log = (string) @file_get_contents($this->log());
        if (!str_contains($log, 'ready for connections')) {
            return false;
        }
        $this->plugin = str_contains($log, 'handlersocket: initialized');
        foreach ($this->plugin ? [$ports[1] ?? 0, $ports[2] ?? 0] : [] as $port) {
            if (Wire::ask('tcp://127.0.0.1:' . $port, "A\t1\t{$this->secret}\n", "\n") !== "0\t1\n") {
                // The plugin does not say so, nor does it try again.
                throw ServerFailed::portTaken('HandlerSocket');
            }
        }

        return true;
    }

    private function data(): string
    {
        return $this->directory . '/data';
    }

    private function socket(): string
    {
        return $this->directory . '/mariadb.sock';
    }

    private function log(): string
    {
        return $this->directory . '/mariadb.out';
    }
}
