<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Thrown;
use RuntimeException;

/**
 * A window in a process of its own, by exec: a fork would have this one's address layout and hash seeds, and what they cost
 * or save would look like the subject's doing.
 */
final class WindowProcess
{
    /** opcache as php-fpm has it; the JIT off, as it is by default. */
    private const INI = ['opcache.enable_cli' => '1', 'opcache.jit' => 'disable', 'memory_limit' => '1G', 'display_errors' => 'stderr', 'log_errors' => '0', 'error_reporting' => '-1', 'default_socket_timeout' => '5'];

    /** @var resource|null */
    private $process;

    private int $pid = 0;

    /** @param string $directory of the run: there opcache keeps what each of these processes would compile anew */
    public function __construct(private readonly string $directory) {}

    public function __destruct()
    {
        $this->end();
    }

    /**
     * @param list<string> $prefix in front of the command: taskset and its cores
     *
     * @return Measured|null null: it was to prepare
     *
     * @throws WrongReply|NotApplicable|Failed
     */
    public function run(Order $order, Definition $subject, float $seconds, array $prefix = []): ?Measured
    {
        $command = [...$prefix, PHP_BINARY];
        $cache = $this->directory . '/opcache';
        if (!is_dir($cache)) {
            @mkdir($cache, 0o700);
        }
        foreach ([...self::INI, 'opcache.file_cache' => $cache, ...$subject->ini] as $name => $value) {
            $command = [...$command, '-d', $name . '=' . $value];
        }
        $process = proc_open([...$command, \dirname(__DIR__, 2) . '/libexec/window'], [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
        if ($process === false) {
            throw new Failed('cannot start ' . PHP_BINARY);
        }
        $this->process = $process;
        $this->pid = proc_get_status($process)['pid'];
        try {
            fwrite($pipes[0], base64_encode(serialize($order)));
            fclose($pipes[0]);
            [$out, $words] = $this->read([$pipes[1], $pipes[2]], $seconds);
        } finally {
            $this->end();
        }
        if ($out === '') {
            throw new Failed('the process that measured it ended without a result' . ($words === '' ? '' : ': ' . $words));
        }

        return self::outcome($out);
    }

    /** Ends the process and the workers it forked. */
    public function end(): void
    {
        if ($this->process === null) {
            return;
        }
        posix_kill(-$this->pid, SIGKILL);
        posix_kill($this->pid, SIGKILL);
        proc_close($this->process);
        $this->process = null;
    }

    /**
     * @param array{resource, resource} $pipes
     *
     * @return array{string, string}
     */
    private function read(array $pipes, float $seconds): array
    {
        $texts = ['', ''];
        $deadline = microtime(true) + $seconds;
        while ($pipes !== []) {
            $left = $deadline - microtime(true);
            if ($left <= 0.0) {
                throw new Failed(\sprintf('it took longer than %.0f s', $seconds));
            }
            $read = $pipes;
            $write = $except = null;
            if (@stream_select($read, $write, $except, (int) $left, (int) (fmod($left, 1.0) * 1e6)) === false) {
                throw new Failed('interrupted');
            }
            foreach ($read as $index => $pipe) {
                $more = (string) fread($pipe, 1 << 20);
                $texts[$index] .= $more;
                if ($more === '' && feof($pipe)) {
                    fclose($pipe);
                    unset($pipes[$index]);
                }
            }
        }

        return [$texts[0], substr(trim($texts[1]), 0, 2000)];
    }

    private static function outcome(string $text): ?Measured
    {
        $outcome = unserialize((string) base64_decode($text, true), ['allowed_classes' => [Measured::class, Coverage::class, Window::class, Histogram::class, Thrown::class]]);
        if ($outcome instanceof Thrown) {
            throw self::asFailure($outcome->exception());
        }

        return match (true) {
            $outcome instanceof Measured => $outcome,
            $outcome === true => null,
            default => throw new Failed('the process that measured it printed what is no result: ' . substr($text, 0, 500)),
        };
    }

    private static function asFailure(RuntimeException $exception): WrongReply|NotApplicable|Failed
    {
        return $exception instanceof WrongReply || $exception instanceof NotApplicable ? $exception : new Failed($exception->getMessage(), 0, $exception);
    }
}
