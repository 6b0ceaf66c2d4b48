<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Http;

use Closure;
use Larder\Testbed\Process\Fork;
use LogicException;

/**
 * A process on a loopback port that answers each request by the next of its texts, then ends the connection where told.
 */
final readonly class ScriptedServer
{
    /** Ends the connection; the next text answers on a new one. */
    public const CUT = '<cut>';

    /** Sends what stands before it, and after a moment the rest. */
    public const PART = '<part>';

    public string $address;

    private int $child;

    /** @var resource */
    private mixed $requests;

    /**
     * @param list<string>|Closure(string): string $answers with their marks CUT and PART, or what makes them of
     *     requests
     */
    public function __construct(array|Closure $answers)
    {
        $listening = stream_socket_server('tcp://127.0.0.1:0');
        $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        if ($listening === false || $pair === false) {
            throw new LogicException('No socket can be had.');
        }
        $this->address = (string) stream_socket_get_name($listening, false);
        [$this->requests, $theirs] = $pair;
        $this->child = Fork::start(static fn() => self::serve($listening, $theirs, $answers));
        fclose($listening);
        fclose($theirs);
    }

    /** @return list<string> the requests that came, each line by line without its line ends */
    public function stop(): array
    {
        posix_kill($this->child, SIGKILL);
        pcntl_waitpid($this->child, $status);
        stream_set_blocking($this->requests, false);

        return explode("\0", rtrim((string) stream_get_contents($this->requests), "\0"));
    }

    /**
     * @param resource                             $listening
     * @param resource                             $requests
     * @param list<string>|Closure(string): string $answers
     */
    private static function serve(mixed $listening, mixed $requests, array|Closure $answers): void
    {
        $connection = null;
        while ($answers !== []) {
            $connection ??= stream_socket_accept($listening, 5);
            $request = $connection === false ? false : self::request($connection);
            if ($connection === false || $request === false) {
                $connection = null;
                continue;
            }
            fwrite($requests, $request . "\0");
            $answer = $answers instanceof Closure ? $answers($request) : array_shift($answers);
            foreach (explode(self::PART, str_replace(self::CUT, '', $answer)) as $part) {
                fwrite($connection, $part);
                usleep(str_contains($answer, self::PART) ? 5_000 : 0);
            }
            if (str_ends_with($answer, self::CUT)) {
                fclose($connection);
                $connection = null;
            }
        }
        usleep(5_000_000);
    }

    /** @param resource $connection */
    private static function request(mixed $connection): string|false
    {
        $lines = [];
        while (($line = fgets($connection)) !== false) {
            if (trim($line) === '') {
                return implode(' | ', $lines);
            }
            $lines[] = trim($line);
        }

        return false;
    }
}
