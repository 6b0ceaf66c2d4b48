<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/** One Varnish on a free port of 127.0.0.1, with a VCL of its own and Debian's vmods. */
final class Varnish extends ServerProcess
{
    private readonly string $vcl;

    /**
     * @param string $directory for its working directory and the VCL; made if need be
     * @param string $vcl       a whole VCL file
     * @param int    $port      to be tried first; 0: any that is free
     *
     * @throws ServerFailed
     */
    public function __construct(string $directory, string $vcl, int $port = 0)
    {
        self::program('varnishd', 'varnish');
        if (!is_dir($directory)) {
            mkdir($directory, recursive: true);
        }
        $this->vcl = $directory . '/larder.vcl';
        file_put_contents($this->vcl, $vcl);
        parent::__construct('varnishd', $directory, Account::current(), [$port]);
        $this->start();
    }

    public function port(int $index = 0): int
    {
        return parent::port($index);
    }

    public function endpoint(): Endpoint
    {
        return new Endpoint('127.0.0.1', $this->port(), pids: $this->pids());
    }

    public function version(): string
    {
        exec(escapeshellarg(self::program('varnishd', 'varnish')) . ' -V 2>&1', $lines);

        return preg_match('~varnish-([0-9.]+)~', implode(' ', $lines), $found) === 1
            ? 'Varnish ' . $found[1]
            : 'Varnish of an unknown version';
    }

    protected function words(array $ports): array
    {
        $port = $ports[0] ?? 0;

        // Without jails it stays who started it, and -F keeps it in the foreground.
        return [
            self::program('varnishd', 'varnish'), '-F', '-j', 'none', '-n', $this->directory . '/work', '-a',
            "127.0.0.1:$port", '-f', $this->vcl, '-s', 'malloc,32m', '-T', 'none', '-p', 'thread_pool_min=10',
        ];
    }

    /** Its child binds the port before it accepts; who listens there is asked of the kernel. */
    protected function answers(array $ports, int $pid): bool
    {
        $socket = @stream_socket_client('tcp://127.0.0.1:' . ($ports[0] ?? 0), $code, $error, 0.2);
        if ($socket === false) {
            return false;
        }
        fclose($socket);

        return str_contains((string) @file_get_contents(parent::log()), 'Child launched OK')
            || \count(ProcessTree::of($pid)) > 1;
    }
}
