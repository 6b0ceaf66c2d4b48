<?php

declare(strict_types=1);

namespace Larder\Testbed\Process;

use Closure;
use RuntimeException;

/**
 * A copy of this process that does one thing, and nothing for what it has inherited: no handler of a signal, no
 * destructor, no shutdown function.
 *
 * A handler of PHP does not run while its process waits in a read: the signal that should end a fork would only do so
 * after default_socket_timeout, and then by stopping what is its parent's.
 */
final readonly class Fork
{
    private const SIGNALS = [SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGUSR1, SIGUSR2, SIGCHLD];

    /**
     * @param Closure(): mixed $work at whose end, or when it throws, the fork ends by SIGKILL
     *
     * @return int number of the process, which the caller waits for
     */
    public static function start(Closure $work): int
    {
        // A signal that comes before the fork has its own answer to it waits until then.
        pcntl_sigprocmask(SIG_BLOCK, self::SIGNALS, $before);
        $blocked = \is_array($before) ? $before : [];
        $pid = pcntl_fork();
        if ($pid === 0) {
            try {
                foreach (self::SIGNALS as $signal) {
                    pcntl_signal($signal, SIG_DFL);
                }
                pcntl_sigprocmask(SIG_SETMASK, $blocked);
                $work();
            } finally {
                posix_kill((int) getmypid(), SIGKILL);
            }
        }
        pcntl_sigprocmask(SIG_SETMASK, $blocked);

        return $pid > 0 ? $pid : throw new RuntimeException('No process could be forked.');
    }
}
