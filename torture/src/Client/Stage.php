<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Daemon;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\Server\Program;
use Larder\Testbed\Server\Scratch;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Process\Findings;
use Closure;

/** All processes of one run, and its directory. None is left after stop(). */
final class Stage
{
    public const SERVERS = 3;

    private const SIGNALS = [SIGINT, SIGTERM, SIGHUP];

    public readonly string $directory;

    private readonly Scratch $scratch;

    /** @var list<Daemon> */
    private array $daemons = [];

    private ?PhpFpm $php = null;

    /** @var list<int> */
    private array $children = [];

    /** @param array<string, string> $environment of the processes with the extension */
    public function __construct(
        private readonly Extension $extension,
        private readonly array $environment,
        private readonly Notes $notes,
    ) {
        $this->scratch = Scratch::in(sys_get_temp_dir(), 'larder-client');
        $this->directory = $this->scratch->path;
    }

    public function findings(): Findings
    {
        return new Findings($this->directory . '/wrong');
    }

    /** @return list<string> the proxies before the servers, as a pool takes them */
    public function startServers(int $seed): array
    {
        $program = Program::find('memcached') ?? throw ServerFailed::missing('memcached', 'memcached');
        $proxies = [];
        for ($i = 0; $i < self::SERVERS; ++$i) {
            $socket = "{$this->directory}/server-$i";
            $command = [$program, '-s', $socket, '-a', '600', '-t', '1', '-m', '256', ...(posix_geteuid() === 0 ? ['-u', 'root'] : [])];
            $server = new Daemon('memcached', $command, ['PATH' => (string) getenv('PATH')], $socket . '.log');
            $this->daemons[] = $server;
            $server->awaitReady(static fn(): bool => file_exists($socket), $socket . '.log');
            $listener = FaultyProxy::listen();
            $proxies[] = '127.0.0.1:' . FaultyProxy::port($listener);
            $this->fork(function () use ($listener, $socket, $i, $seed): void {
                mt_srand($seed + 77 * $i);
                (new FaultyProxy($listener, $socket, $this->notes, $i))->serve();
            });
            socket_close($listener);
        }

        return $proxies;
    }

    /** With one worker: requests that follow each other then meet the same pool. */
    public function startPhp(): PhpFpm
    {
        $directory = $this->directory . '/fpm';
        mkdir($directory . '/ini', 0o700, true);
        mkdir($directory . '/tmp');
        file_put_contents($directory . '/ini/larder.ini', "extension=\"{$this->extension->file}\"\n");
        file_put_contents($directory . '/page.php', \sprintf(
            "<?php\nrequire %s;\nLarder\\Torture\\Client\\Page::answer(%s);\n",
            var_export(\dirname(__DIR__, 3) . '/vendor/autoload.php', true),
            var_export($this->directory, true),
        ));
        // A leading colon keeps the directory of PHP's own .ini files. Its errors are expected: they go to a file that nobody reads.
        $php = new PhpFpm($directory, Account::of('root'), 1, [...$this->environment, 'PHP_INI_SCAN_DIR' => ':' . $directory . '/ini'], ['error_log' => '/dev/null']);
        $this->php = $php;
        $php->start();

        return $php;
    }

    public function page(PhpFpm $php): FastCgi
    {
        return new FastCgi($php->socket, $this->directory . '/fpm/page.php');
    }

    /** The torture program with the extension: so many workers, or 0 for the last look. */
    public function startWorkers(int $count): Daemon
    {
        $command = [...$this->extension->barePhp(['memory_limit' => '256M']), \Larder\Torture\TortureCommand::script(), 'client:workers', $this->directory . '/plan', (string) $count];

        return $this->daemons[] = new Daemon('the workers', $command, ['PATH' => (string) getenv('PATH'), ...$this->environment], $this->directory . '/workers.log');
    }

    /** What the workers printed, which should be nothing. */
    public function said(): string
    {
        return trim((string) @file_get_contents($this->directory . '/workers.log'));
    }

    /**
     * @param Closure(): void $do
     *
     * @return int the process
     */
    public function fork(Closure $do): int
    {
        $child = pcntl_fork();
        if ($child !== 0) {
            $this->children[] = $child;

            return $child;
        }
        foreach (self::SIGNALS as $signal) {
            pcntl_signal($signal, SIG_DFL);
        }
        try {
            $do();
        } catch (\Throwable $failure) {
            $this->findings()->add('a process failed: ' . $failure->getMessage() . ' at ' . basename($failure->getFile()) . ':' . $failure->getLine());
        }
        posix_kill((int) getmypid(), SIGKILL);
        exit(1);
    }

    /** Whether a process that fork() gave is gone by itself. */
    public function isGone(int $child): bool
    {
        if (\in_array($child, $this->children, true) && pcntl_waitpid($child, $status, WNOHANG) === $child) {
            $this->children = array_values(array_diff($this->children, [$child]));
        }

        return !\in_array($child, $this->children, true);
    }

    public function stopOnSignals(): void
    {
        pcntl_async_signals(true);
        foreach (self::SIGNALS as $signal) {
            pcntl_signal($signal, function (int $signal): never {
                $this->stop();
                exit(128 + $signal);
            });
        }
    }

    public function stop(): void
    {
        $this->php?->stop();
        $this->php = null;
        foreach (array_reverse($this->daemons) as $daemon) {
            $daemon->stop();
        }
        $this->daemons = [];
        foreach ($this->children as $child) {
            posix_kill($child, SIGKILL);
            pcntl_waitpid($child, $status);
        }
        $this->children = [];
        $this->notes->remove();
        $this->scratch->remove();
    }
}
