<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use Larder\Testbed\Net\Exchange;

/**
 * One MariaDB on a unix socket and, where ports are asked for, on a port, with the HandlerSocket plugin of its package
 * on two more.
 *
 * A commit reaches the log file at once and the disk within a second (innodb_flush_log_at_trx_commit=2): no cache that
 * it is compared with survives a power failure, and so nobody waits for the disk. An option says otherwise. There is no
 * query cache. Threads are kept when their connections end, so that no CPU time is lost to the account.
 *
 * Endpoint::$extra:
 *
 * | key                  | |
 * | -------------------- | --- |
 * | database             | `bench`, empty, utf8mb4 |
 * | user, password       | may do everything, over socket and port |
 * | dsn                  | for PDO, over the socket |
 * | handlersocket        | port for reading; absent where the plugin is |
 * | handlersocket-write  | port for reading and writing |
 * | handlersocket-secret | what `A 1 <secret>` has to say on either port before anything else |
 */
final class MariaDb extends ServerProcess
{
    private const DATABASE = 'bench';
    private const USER = 'bench';

    private readonly string $password;
    private readonly string $secret;
    private readonly string $version;
    private bool $plugin = true;

    /**
     * @param string                $directory of its own; made if need be. A database that is in it is used as it is
     * @param list<int>             $ports     SQL, HandlerSocket's reading and writing ones: to be tried first; 0: any
     *     that is free. Fewer than three: no HandlerSocket; none: the socket alone
     * @param array<string, string> $options   of the server, beside and above those that it has:
     *     `['innodb-flush-log-at-trx-commit' => '1']`; `loose-` before one that not every version knows
     */
    public function __construct(
        string $directory,
        array $ports = [0, 0, 0],
        private readonly array $options = [],
    ) {
        self::program('mariadbd', 'mariadb-server');
        $this->password = bin2hex(random_bytes(12));
        $this->secret = bin2hex(random_bytes(12));
        $account = Account::packaged('mysql', $directory);
        parent::__construct('mariadb', $directory, $account, $ports, ['LC_ALL' => 'C']);
        $this->introduce();
        $account->own($directory);
        if (!is_dir($this->data() . '/mysql')) {
            $this->install();
        }
        $this->start();
        $started = preg_match('/Starting MariaDB (\S+)/', (string) file_get_contents($this->log()), $found) === 1;
        $this->version = 'mariadb ' . ($started ? $found[1] : 'of an unknown version')
            . ', InnoDB, flush_log_at_trx_commit=' . ($options['innodb-flush-log-at-trx-commit'] ?? '2')
            . ', buffer pool 128 MB'
            . ($this->plugin ? ', HandlerSocket' : ', no HandlerSocket');
    }

    public function endpoint(): Endpoint
    {
        $plugin = $this->plugin ? [
            'handlersocket' => (string) $this->port(1),
            'handlersocket-write' => (string) $this->port(2),
            'handlersocket-secret' => $this->secret,
        ] : [];

        return new Endpoint('127.0.0.1', $this->port(), 0, $this->socket(), $this->pids(), [
            'database' => self::DATABASE,
            'user' => self::USER,
            'password' => $this->password,
            'dsn' => \sprintf('mysql:unix_socket=%s;dbname=%s;charset=utf8mb4', $this->socket(), self::DATABASE),
            ...$plugin,
        ]);
    }

    public function version(): string
    {
        return $this->version;
    }

    public function command(): string
    {
        return str_replace($this->secret, '(random)', parent::command());
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
            \sprintf("GRANT ALL ON *.* TO %s@'%%' WITH GRANT OPTION;", self::USER),
            '',
        ]));
    }

    private function install(): void
    {
        $program = self::program('mariadb-install-db', 'mariadb-server');
        $words = [
            '--no-defaults', '--skip-test-db', '--skip-name-resolve',
            // Nothing here has to survive a crash of the machine.
            '--innodb-log-file-size=4M', '--innodb-buffer-pool-size=16M',
            '--innodb-flush-log-at-trx-commit=0', '--innodb-flush-method=nosync',
            ...($this->account->isRoot() ? ['--user=root'] : []),
        ];
        $template = new Template(
            [$program, self::program('mariadbd', 'mariadb-server')],
            [$this->account->user ?? '', ...$words],
        );
        $template->copyTo($this->data(), function () use ($program, $words): void {
            $log = $this->directory . '/install.out';
            $line = implode(' ', array_map(escapeshellarg(...), $this->account->command([
                // Any other server that starts removes what it finds in the usual directory for temporary files.
                $program, ...$words, '--datadir=' . $this->data(), '--tmpdir=' . $this->directory,
            ])));
            exec("timeout 60 $line </dev/null >" . escapeshellarg($log) . ' 2>&1', $output, $status);
            if ($status !== 0) {
                throw ServerFailed::ended('mariadb-install-db', $log);
            }
        });
    }

    protected function words(array $ports): array
    {
        $network = isset($ports[0]) ? ['--bind-address=127.0.0.1', '--port=' . $ports[0]] : ['--skip-networking'];
        $plugin = isset($ports[2]) ? [
            '--plugin-maturity=beta',
            '--plugin-load-add=handlersocket.so',
            '--loose-handlersocket-address=127.0.0.1',
            '--loose-handlersocket-port=' . $ports[1],
            '--loose-handlersocket-port-wr=' . $ports[2],
            '--loose-handlersocket-plain-secret=' . $this->secret,
            '--loose-handlersocket-plain-secret-wr=' . $this->secret,
        ] : [];
        $options = array_map(
            static fn(string $name, string $value): string => "--$name=$value",
            array_keys($this->options),
            $this->options,
        );

        return $this->account->command([
            self::program('mariadbd', 'mariadb-server'),
            '--no-defaults',
            '--datadir=' . $this->data(),
            '--tmpdir=' . $this->directory,
            '--pid-file=' . $this->directory . '/mariadb.pid',
            '--socket=' . $this->socket(),
            ...$network,
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
            ...$plugin,
            ...$options,
            ...($this->account->isRoot() ? ['--user=root'] : []),
        ]);
    }

    /** The log and the sockets are this server's alone. On the plugin's ports its secret tells who answers. */
    protected function answers(array $ports, int $pid): bool
    {
        $log = (string) @file_get_contents($this->log());
        if (!str_contains($log, 'ready for connections')) {
            return false;
        }
        $this->plugin = str_contains($log, 'handlersocket: initialized');
        foreach ($this->plugin ? [$ports[1] ?? 0, $ports[2] ?? 0] : [] as $port) {
            $answer = Exchange::with('tcp://127.0.0.1:' . $port, "A\t1\t{$this->secret}\n", "\n");
            if ($answer !== "0\t1\n") {
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
}
