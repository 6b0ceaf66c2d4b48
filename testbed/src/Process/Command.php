<?php

declare(strict_types=1);

namespace Larder\Testbed\Process;

use Larder\Testbed\Server\ServerFailed;

/**
 * A program that runs beside this one and whose lines are read as they come. It dies with this object.
 *
 * It stays in this process's group, which a caller can end as a whole.
 */
final class Command
{
    /** @var resource|null */
    private $process;

    /** @var resource */
    private $out;

    /** @var resource */
    private $errors;

    /** @var resource|null */
    private $in;

    private string $pending = '';
    public readonly int $pid;

    /**
     * @param non-empty-list<string> $command
     * @param bool                   $hasInput for write(); else it reads nothing
     */
    public function __construct(private readonly array $command, bool $hasInput = false)
    {
        $this->errors = self::temporaryFile();
        // A second pipe that nobody empties would stop the program: its errors go to a file.
        $process = @proc_open(
            $command,
            [$hasInput ? ['pipe', 'r'] : ['file', '/dev/null', 'r'], ['pipe', 'w'], $this->errors],
            $pipes,
        );
        if ($process === false) {
            throw ServerFailed::because($command[0] . ' cannot be started: is it installed?');
        }
        $this->process = $process;
        $this->in = $pipes[0] ?? null;
        $this->out = $pipes[1];
        stream_set_blocking($this->out, false);
        $this->pid = proc_get_status($process)['pid'];
    }

    public function __destruct()
    {
        $this->end();
    }

    /**
     * @param float $deadline as microtime(true) has it
     *
     * @return string|null without its end; null: no line until the deadline, or no more at all
     */
    public function line(float $deadline): ?string
    {
        do {
            $end = strpos($this->pending, "\n");
            if ($end !== false) {
                $line = substr($this->pending, 0, $end);
                $this->pending = substr($this->pending, $end + 1);

                return $line;
            }
            $left = $deadline - microtime(true);
            $read = [$this->out];
            $write = $except = null;
            $seconds = (int) $left;
            $microseconds = (int) (fmod($left, 1.0) * 1e6);
            if ($left <= 0.0 || (int) @stream_select($read, $write, $except, $seconds, $microseconds) === 0) {
                return null;
            }
            $more = (string) fread($this->out, 1 << 20);
            $this->pending .= $more;
        } while ($more !== '' || !feof($this->out));

        return null;
    }

    /** @return bool false: it reads no more */
    public function write(string $bytes): bool
    {
        return $this->in !== null && @fwrite($this->in, $bytes) === \strlen($bytes);
    }

    /** @return string all that is still to come, until the program ends or the deadline */
    public function rest(float $deadline): string
    {
        while (!feof($this->out) && ($left = $deadline - microtime(true)) > 0.0) {
            $read = [$this->out];
            $write = $except = null;
            if ((int) @stream_select($read, $write, $except, (int) $left, (int) (fmod($left, 1.0) * 1e6)) > 0) {
                $this->pending .= (string) fread($this->out, 1 << 20);
            }
        }
        $rest = $this->pending;
        $this->pending = '';

        return $rest;
    }

    public function hasEnded(): bool
    {
        return feof($this->out);
    }

    public function interrupt(): void
    {
        posix_kill($this->pid, SIGINT);
    }

    /** What it wrote to its error output, or how it ended. */
    public function complaint(): string
    {
        rewind($this->errors);
        $words = trim(substr((string) stream_get_contents($this->errors), 0, 1000));

        if ($words !== '' || $this->process === null) {
            return $words;
        }
        $status = proc_get_status($this->process);

        return match (true) {
            $status['running'] => $this->command[0] . ' still runs',
            $status['signaled'] => \sprintf('%s was ended by signal %d', $this->command[0], $status['termsig']),
            default => \sprintf('%s ended with status %d', $this->command[0], $status['exitcode']),
        };
    }

    public function end(): void
    {
        if ($this->process !== null) {
            posix_kill($this->pid, SIGKILL);
            fclose($this->out);
            proc_close($this->process);
            $this->process = null;
        }
    }

    /** @return resource */
    private static function temporaryFile(): mixed
    {
        $file = tmpfile();

        return $file !== false ? $file : throw ServerFailed::because('no temporary file can be had');
    }
}
