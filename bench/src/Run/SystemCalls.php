<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

/**
 * Reads what strace wrote about a worker: the calls between two marks (getppid), and the bytes they moved.
 *
 * Lines are `PID name(arguments) = result`; a call that others interrupted is two lines, the second
 * `PID <... name resumed> = result`.
 */
final readonly class SystemCalls
{
    public const COMMAND = ['strace', '-f', '-qq', '-s', '0', '-o'];

    private const MARK = 'getppid';
    private const IN = ['read', 'pread64', 'readv', 'recv', 'recvfrom', 'recvmsg'];
    private const OUT = ['write', 'pwrite64', 'writev', 'send', 'sendto', 'sendmsg'];

    private function __construct(
        public int $calls,
        public int $read,
        public int $written,
    ) {}

    /** @param string $trace whole output; null if it has no two marks of one process */
    public static function of(string $trace): ?self
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
                    return new self($calls, $read, $written);
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

    /** @return array<string, float> */
    public function per(int $operations): array
    {
        return [
            'system calls per operation' => round($this->calls / $operations, 2),
            'bytes written per operation' => round($this->written / $operations, 1),
            'bytes read per operation' => round($this->read / $operations, 1),
        ];
    }
}
