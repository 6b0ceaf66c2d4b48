<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/**
 * One PostgreSQL of Debian's package on a unix socket: no TCP, and whoever reaches the socket may do everything.
 *
 * What it promises is what the package's own server promises: a commit has reached the disk, unless a setting says
 * otherwise. stop() ends it at once, as a crash of the server alone would: what was committed is there again after
 * start(), from its log.
 *
 * Endpoint::$extra:
 *
 * | key            | |
 * | -------------- | --- |
 * | database       | `postgres`, empty, UTF-8, compared byte for byte |
 * | user, password | a superuser; the password is empty |
 * | dsn            | for PDO |
 */
final class PostgreSql extends ServerProcess
{
    private const DATABASE = 'postgres';
    private const USER = 'larder';
    /** Only the socket's name. */
    private const PORT = 5432;

    private readonly string $version;

    /**
     * @param string                $directory of its own; made if need be. A database that is in it is used as it is
     * @param array<string, string> $settings  beside those of a new cluster: ['fsync' => 'off']
     */
    public function __construct(
        string $directory,
        private readonly array $settings = [],
    ) {
        $program = Program::postgreSql('postgres');
        // It refuses to run as root.
        $account = Account::of('postgres');
        parent::__construct(
            'postgresql',
            $directory,
            $account,
            environment: ['LC_ALL' => 'C'],
            ending: SIGQUIT,
        );
        $account->own($directory);
        if (!is_file($this->data() . '/PG_VERSION')) {
            $this->install(\dirname($program));
        }
        $this->start();
        $log = (string) file_get_contents($this->log());
        $started = preg_match('/starting PostgreSQL (\S+)/', $log, $found) === 1;
        $this->version = 'postgresql ' . ($started ? $found[1] : 'of an unknown version')
            . implode('', array_map(
                static fn(string $name, string $value): string => ", $name=$value",
                array_keys($settings),
                $settings,
            ));
    }

    public function endpoint(): Endpoint
    {
        return new Endpoint('', 0, 0, $this->directory . '/.s.PGSQL.' . self::PORT, $this->pids(), [
            'database' => self::DATABASE,
            'user' => self::USER,
            'password' => '',
            'dsn' => \sprintf('pgsql:host=%s;port=%d;dbname=%s', $this->directory, self::PORT, self::DATABASE),
        ]);
    }

    public function version(): string
    {
        return $this->version;
    }

    /** @param string $programs directory of them */
    private function install(string $programs): void
    {
        $words = [
            '--username=' . self::USER, '--encoding=UTF8', '--locale=C.UTF-8', '--lc-messages=C', '--auth=trust',
            '--no-instructions',
            // A machine that crashes now takes the directory with it.
            '--no-sync',
        ];
        $template = new Template(
            [$programs . '/initdb', $programs . '/postgres'],
            [$this->account->user ?? '', ...$words],
        );
        $template->copyTo($this->data(), function () use ($programs, $words): void {
            $log = $this->directory . '/initdb.out';
            $line = implode(' ', array_map(escapeshellarg(...), $this->account->command([
                $programs . '/initdb', '--pgdata=' . $this->data(), ...$words,
            ])));
            exec("cd / && timeout 60 $line </dev/null >" . escapeshellarg($log) . ' 2>&1', $output, $status);
            if ($status !== 0) {
                throw ServerFailed::ended('initdb', $log);
            }
        });
    }

    protected function words(array $ports): array
    {
        $settings = [
            'listen_addresses' => '',
            'unix_socket_directories' => $this->directory,
            'port' => (string) self::PORT,
            'max_connections' => '200',
            ...$this->settings,
        ];

        return $this->account->command([
            Program::postgreSql('postgres'),
            '-D', $this->data(),
            ...array_map(
                static fn(string $name, string $value): string => "--$name=$value",
                array_keys($settings),
                $settings,
            ),
        ]);
    }

    /** The log and the socket are this server's alone. */
    protected function answers(array $ports, int $pid): bool
    {
        return str_contains((string) @file_get_contents($this->log()), 'is ready to accept connections');
    }

    /** Each of its processes has a group of its own. */
    protected function signal(int $signal): void
    {
        // It shall start no further one meanwhile.
        posix_kill($this->pid(), SIGSTOP);
        foreach (array_reverse($this->pids()) as $pid) {
            posix_kill($pid, $signal);
        }
    }

    private function data(): string
    {
        return $this->directory . '/data';
    }
}
