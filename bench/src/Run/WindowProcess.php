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
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Thrown;
use Larder\Testbed\Server\IniFiles;
use RuntimeException;

/**
 * One window of one subject, in its own process by exec: a fork would have this process's address layout and hash
 * seeds, and what they cost or save would look like the subject's doing.
 */
final class WindowProcess
{
    public const READY = 'ready';
    public const TURN = 'turn';

    /** opcache as php-fpm has it; the JIT off, as it is by default. */
    private const INI = [
        'opcache.enable_cli' => '1',
        'opcache.jit' => 'disable',
        'memory_limit' => '1G',
        'display_errors' => 'stderr',
        'log_errors' => '0',
        'error_reporting' => '-1',
        'default_socket_timeout' => '5',
    ];

    /** In front of a traced process's command; the file of the trace follows. */
    public const TRACE = ['strace', '-f', '-qq', '-s', '400', '-o'];

    private const MARK = 'getppid';
    private const IN = ['read', 'pread64', 'readv', 'recv', 'recvfrom', 'recvmsg'];
    private const OUT = ['write', 'pwrite64', 'writev', 'send', 'sendto', 'sendmsg'];

    /** @var resource */
    private $process;

    /** @var array{resource, resource, resource} */
    private array $pipes;

    private readonly int $pid;
    private string $output = '';
    private string $errors = '';
    private bool $ended = false;

    /**
     * @param bool         $prepare   fill the store instead of measuring
     * @param string|null  $subjects  file with further subjects
     * @param string       $directory of the run: opcache keeps there what each of these processes would compile anew
     * @param float        $seconds   after which a step of this process is given up
     * @param list<string> $prefix    in front of the command: taskset and its processors
     *
     * @throws Failed
     */
    public function __construct(
        Job $job,
        Definition $subject,
        bool $prepare,
        ?string $subjects,
        string $directory,
        private readonly float $seconds,
        array $prefix = [],
    ) {
        $cache = $directory . '/opcache';
        if (!is_dir($cache)) {
            @mkdir($cache, 0o700);
        }
        $command = [...$prefix, PHP_BINARY];
        foreach ([...self::INI, 'opcache.file_cache' => $cache, ...$subject->ini] as $name => $value) {
            $command = [...$command, '-d', $name . '=' . $value];
        }
        $command[] = \dirname(__DIR__, 2) . '/libexec/window';
        $environment = self::environment($subject, $directory) + getenv();
        $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes, null, $environment);
        if ($process === false) {
            throw new Failed('cannot start ' . PHP_BINARY);
        }
        [$in, $out, $error] = $pipes;
        stream_set_blocking($out, false);
        stream_set_blocking($error, false);
        $this->process = $process;
        $this->pipes = [$in, $out, $error];
        $this->pid = proc_get_status($process)['pid'];
        @fwrite($in, base64_encode(serialize([$job, $prepare, $subjects])) . "\n");
    }

    public function __destruct()
    {
        $this->end();
    }

    /**
     * Waits until the process is ready for its first turn.
     *
     * @throws WrongReply|NotApplicable|Failed
     */
    public function awaitReady(): void
    {
        $line = $this->line();
        if ($line !== self::READY) {
            $this->outcome($line);
            throw new Failed('the process ended before its window began');
        }
    }

    /** @throws WrongReply|NotApplicable|Failed */
    public function turn(): void
    {
        @fwrite($this->pipes[0], self::TURN . "\n");
        $this->awaitReady();
    }

    /**
     * @return Measured|null null: the process prepared the store
     *
     * @throws WrongReply|NotApplicable|Failed
     */
    public function finish(): ?Measured
    {
        @fwrite($this->pipes[0], "end\n");

        return $this->outcome($this->line());
    }

    /** Ends the process and the workers it forked. */
    public function end(): void
    {
        if ($this->ended) {
            return;
        }
        $this->ended = true;
        posix_kill(-$this->pid, SIGKILL);
        posix_kill($this->pid, SIGKILL);
        array_map(fclose(...), $this->pipes);
        proc_close($this->process);
    }

    /**
     * What makes its processes load its modules. php.ini's other files stay as they are: what the modules are measured
     * against has them, too.
     *
     * @param string $directory of the run
     *
     * @return array{}|array<string, string>
     */
    public static function environment(Definition $subject, string $directory): array
    {
        $files = $directory . '/ini-' . implode('-', array_keys($subject->modules));
        if ($subject->modules === [] || is_dir($files)) {
            return $subject->modules === [] ? [] : ['PHP_INI_SCAN_DIR' => $files];
        }

        return IniFiles::copied($files, array_keys($subject->modules), array_map(
            static fn(string $file): array => ['extension', $file],
            array_values($subject->modules),
        ));
    }

    /**
     * Reads what strace wrote about a worker: the calls between two marks (getppid), and the bytes they moved.
     *
     * Lines are `PID name(arguments) = result`; a call that others interrupted is two lines, the second
     * `PID <... name resumed> = result`.
     *
     * @param string $trace whole output
     *
     * @return array<string, float>|null figures by name; null if the trace has no two marks of one process
     */
    public static function systemCalls(string $trace, int $operations): ?array
    {
        $worker = null;
        $calls = $read = $written = 0;
        foreach (explode("\n", $trace) as $line) {
            if (preg_match('/^(\d+)\s+(?:<\.\.\. )?(\w+)( resumed>)?/', $line, $match) !== 1) {
                continue;
            }
            [, $pid, $name] = $match;
            if ($name === self::MARK) {
                if (isset($match[3])) {
                    continue;
                }
                if ($worker === null) {
                    $worker = $pid;
                } elseif ($worker === $pid) {
                    return [
                        'system calls per operation' => round($calls / $operations, 2),
                        'bytes written per operation' => round($written / $operations, 1),
                        'bytes read per operation' => round($read / $operations, 1),
                    ];
                }
            } elseif ($worker === $pid) {
                $calls += isset($match[3]) ? 0 : 1;
                $moved = preg_match('/= (\d+)$/', $line, $result) === 1 ? (int) $result[1] : 0;
                $read += \in_array($name, self::IN, true) ? $moved : 0;
                $written += \in_array($name, self::OUT, true) ? $moved : 0;
            }
        }

        return null;
    }

    private function line(): string
    {
        $deadline = microtime(true) + $this->seconds;
        while (!str_contains($this->output, "\n")) {
            $left = $deadline - microtime(true);
            if ($left <= 0.0) {
                throw new Failed(\sprintf('it took longer than %.0f s', $this->seconds));
            }
            $read = [$this->pipes[1], $this->pipes[2]];
            $write = $except = null;
            if (@stream_select($read, $write, $except, (int) $left, (int) (fmod($left, 1.0) * 1e6)) === false) {
                throw new Failed('interrupted');
            }
            $isOver = feof($this->pipes[1]);
            $this->output .= stream_get_contents($this->pipes[1]);
            $this->errors .= stream_get_contents($this->pipes[2]);
            if ($isOver && !str_contains($this->output, "\n")) {
                $said = substr(trim($this->errors . $this->output), 0, 2000);
                throw new Failed(
                    'the process that measured it ended without a result' . ($said === '' ? '' : ': ' . $said),
                );
            }
        }
        [$line, $this->output] = explode("\n", $this->output, 2);

        return $line;
    }

    private function outcome(string $line): ?Measured
    {
        $outcome = @unserialize(
            (string) base64_decode($line, true),
            ['allowed_classes' => [Measured::class, Coverage::class, Window::class, Histogram::class, Thrown::class]],
        );
        if ($outcome instanceof Thrown) {
            throw self::asFailure($outcome->exception());
        }

        return match (true) {
            $outcome instanceof Measured => $outcome,
            $outcome === true => null,
            default => throw new Failed(
                'the process that measured it printed what is no result: ' . substr($line, 0, 500),
            ),
        };
    }

    private static function asFailure(RuntimeException $exception): WrongReply|NotApplicable|Failed
    {
        return $exception instanceof WrongReply || $exception instanceof NotApplicable
            ? $exception
            : new Failed($exception->getMessage(), 0, $exception);
    }
}
