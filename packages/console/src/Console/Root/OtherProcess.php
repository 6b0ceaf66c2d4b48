<?php

declare(strict_types=1);

namespace Larder\Console\Root;

use Closure;
use Larder\Console\Refused;
use Larder\Console\Rerun;

/**
 * Runs this program again for root, as a process that becomes another user before it includes anything. It has no
 * terminal, and nothing that root has open: its output comes through pipes, and so do the few things that it may ask
 * root's process for.
 *
 * @internal
 */
final readonly class OtherProcess
{
    /** Where the other process asks and gets its answers. */
    public const ASKS = 3;
    public const HEARS = 4;

    /** Bytes of a question at most. */
    private const LONGEST = 256 << 20;

    private const CHUNK = 1 << 16;

    /** Microseconds between two looks whether it has ended, once it says nothing more. */
    private const PAUSE = 1000;

    private const SIGNALS = [1, 2, 15];

    /**
     * @param array<string, mixed>             $told  for Role
     * @param Closure(string, string): mixed   $asked gets what is wanted and bytes with it, and says what became of it
     * @param Closure(int, string): void       $said  gets what comes by descriptor 1 or 2
     * @param bool                             $listens it gets what root's process is given, if an argument is -
     * @param list<string>                     $more  arguments
     *
     * @return int its exit code
     *
     * @throws Refused if it cannot be started
     */
    public static function run(array $told, Closure $asked, Closure $said, bool $listens = false, array $more = []): int
    {
        $wantsInput = $listens && \in_array('-', Rerun::arguments(), true);
        $descriptors = [
            0 => $wantsInput ? ['pipe', 'r'] : ['file', '/dev/null', 'r'],
            1 => ['pipe', 'w'],
            2 => ['pipe', 'w'],
            self::ASKS => ['pipe', 'w'],
            self::HEARS => ['pipe', 'r'],
        ];
        foreach ((array) @scandir('/proc/self/fd') as $open) {
            if (preg_match('/^\d+$/D', (string) $open) === 1 && !isset($descriptors[(int) $open])) {
                // What root's shell has left open.
                $descriptors[(int) $open] = ['file', '/dev/null', 'r'];
            }
        }
        $command = [...Rerun::php(), ...Rerun::arguments(), ...$more];
        $environment = [Role::TOLD => json_encode($told, JSON_THROW_ON_ERROR)] + getenv();
        $process = @proc_open($command, $descriptors, $pipes, null, $environment);
        if (!\is_resource($process)) {
            throw Refused::because('No process can be started here for another user: run the command as that user');
        }
        $status = proc_get_status($process);
        self::passSignals($status['pid']);
        $question = $input = '';
        foreach ($pipes as $number => $pipe) {
            if ($number !== self::HEARS) {
                stream_set_blocking($pipe, false);
            }
        }
        while (isset($pipes[1]) || isset($pipes[2])) {
            $read = array_intersect_key($pipes, [1 => true, 2 => true, self::ASKS => true]);
            if (isset($pipes[0]) && $input === '') {
                $read[0] = STDIN;
            }
            $write = isset($pipes[0]) && $input !== '' ? [$pipes[0]] : [];
            $except = null;
            if ((int) @stream_select($read, $write, $except, 1) === 0) {
                $status = proc_get_status($process);
                if (!$status['running']) {
                    break;
                }
                continue;
            }
            if ($write !== []) {
                $input = substr($input, (int) @fwrite($pipes[0], $input));
            }
            foreach ($read as $number => $pipe) {
                $bytes = (string) fread($pipe, self::CHUNK);
                if ($bytes === '') {
                    if (feof($pipe)) {
                        fclose($pipes[$number]);
                        unset($pipes[$number]);
                    }
                } elseif ($number === 0) {
                    $input = $bytes;
                } elseif ($number !== self::ASKS) {
                    $said($number, $bytes);
                } else {
                    $question = self::answer($question . $bytes, $asked, $pipes[self::HEARS]);
                }
            }
        }
        // PHP tells how a process has ended once only.
        for (; $status['running']; $status = proc_get_status($process)) {
            usleep(self::PAUSE);
        }
        self::passSignals(null);
        proc_close($process);

        return $status['signaled'] ? 128 + $status['termsig'] : $status['exitcode'];
    }

    /**
     * A question is a line of JSON with what is wanted and a number of bytes, and then those.
     *
     * @param Closure(string, string): mixed $asked
     * @param resource                       $to
     *
     * @return string what is not whole yet
     */
    private static function answer(string $question, Closure $asked, mixed $to): string
    {
        while (($end = strpos($question, "\n")) !== false) {
            $head = json_decode(substr($question, 0, $end), true);
            $bytes = \is_array($head) ? $head['bytes'] ?? null : null;
            $wanted = \is_array($head) ? $head['wanted'] ?? null : null;
            if (!\is_string($wanted) || !\is_int($bytes) || $bytes < 0 || $bytes > self::LONGEST) {
                return '';
            }
            if (\strlen($question) < $end + 1 + $bytes) {
                return $question;
            }
            $result = $asked($wanted, substr($question, $end + 1, $bytes));
            @fwrite($to, json_encode($result, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
            $question = substr($question, $end + 1 + $bytes);
        }

        return $question;
    }

    /** Ctrl-C reaches nobody who is in another session. */
    private static function passSignals(?int $pid): void
    {
        if (!\function_exists('pcntl_signal') || !\function_exists('pcntl_async_signals')) {
            return;
        }
        pcntl_async_signals(true);
        foreach (self::SIGNALS as $signal) {
            pcntl_signal($signal, $pid === null ? SIG_DFL : static fn(): bool => posix_kill($pid, $signal));
        }
    }
}
