<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use Closure;

/**
 * A server of one process that was told which ports to take. Another process can take a free port before the server does: the
 * loser of that race tries others.
 *
 * @internal
 */
final readonly class Launch
{
    private const ATTEMPTS = 5;

    /**
     * @param list<int>              $ports
     * @param non-empty-list<string> $command
     */
    private function __construct(
        public Daemon $daemon,
        public array $ports,
        public array $command,
    ) {}

    /**
     * @param string                                     $output  file for what it prints
     * @param list<int>                                  $ports   to be tried first, as after a restart; 0: any that is free
     * @param Closure(list<int>): non-empty-list<string> $command
     * @param Closure(list<int>, int): bool              $ready   told ports and pid: whether that very process answers there
     *
     * @throws ServerFailed nothing is left running then
     */
    public static function of(string $name, string $output, array $ports, RunAs $account, Closure $command, Closure $ready, float $patience = 10.0): self
    {
        for ($attempt = 1; ; ++$attempt) {
            @unlink($output);
            $chosen = self::choose($ports);
            $words = $command($chosen);
            $daemon = new Daemon($name, $account->command($words), ['PATH' => (string) getenv('PATH'), 'LC_ALL' => 'C'], $output);
            try {
                $daemon->awaitReady(static fn(): bool => $ready($chosen, $daemon->pid), $output, $patience);

                return new self($daemon, $chosen, $words);
            } catch (ServerFailed $failed) {
                $daemon->stop();
                $taken = $failed->portTaken || preg_match('/address already in use|in use by another|failed listening|failed to listen/i', (string) @file_get_contents($output)) === 1;
                if (!$taken || $attempt === self::ATTEMPTS) {
                    throw $failed;
                }
                $ports = array_fill(0, \count($ports), 0);
            }
        }
    }

    /**
     * @param list<int> $wanted
     *
     * @return list<int> all different
     */
    private static function choose(array $wanted): array
    {
        $ports = [];
        foreach ($wanted as $port) {
            while ($port === 0 || \in_array($port, $ports, true)) {
                $port = Nginx::freePort();
            }
            $ports[] = $port;
        }

        return $ports;
    }
}
