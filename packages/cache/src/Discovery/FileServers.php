<?php

declare(strict_types=1);

namespace Larder\Discovery;

use Larder\Exception\InvalidServer;
use Larder\Exception\NoServersFound;
use Larder\Metrics\SparingLogger;
use Psr\Log\LoggerInterface;

/**
 * Servers in a file. Each call looks at the file, and reads it if it has changed:
 *
 *     # server              weight, by default 1
 *     10.0.0.1:11211        2
 *     unix:/run/memcached.sock
 *
 * Change it by renaming a new file over it, so that no process reads half of it. While it is damaged or gone, the last
 * good list stays in force, and each damage is logged once.
 */
final class FileServers implements Discovery
{
    /** @var non-empty-array<string, int<1, 1000>>|null */
    private ?array $servers = null;

    /** The state of the file that was read last, good or not. */
    private ?string $seen = null;

    /** What was logged of the last damage. */
    private ?string $damage = null;

    public function __construct(
        private readonly string $path,
        private readonly ?LoggerInterface $log = null,
    ) {}

    public function servers(): array
    {
        clearstatcache(true, $this->path);
        $status = @stat($this->path);
        $now = $status === false ? 'gone' : self::identity($status);
        if ($now !== null && $now === $this->seen && $this->servers !== null) {
            return $this->servers;
        }
        $this->seen = $now;
        try {
            $this->servers = $this->read();
            $this->damage = null;
        } catch (InvalidServer|NoServersFound $failure) {
            if ($this->servers === null) {
                throw $failure;
            }
            if ($this->damage !== $failure->getMessage()) {
                $this->damage = $failure->getMessage();
                ($this->log ?? new SparingLogger())->error(
                    'The list of memcached servers stays as it was. {reason}',
                    ['reason' => $this->damage, 'exception' => $failure],
                );
            }
        }

        return $this->servers;
    }

    /** @return non-empty-array<string, int<1, 1000>> */
    private function read(): array
    {
        $file = @fopen($this->path, 'r');
        $text = $file === false ? false : stream_get_contents($file);
        $status = $file === false ? false : fstat($file);
        if ($file === false || $text === false || $status === false) {
            throw NoServersFound::because(
                \sprintf(
                    '%s cannot be read: %s. It should hold a line "host:port weight" for each server.',
                    $this->path,
                    error_get_last()['message'] ?? 'no reason was given',
                ),
            );
        }
        fclose($file);
        // The file that was read may be another one than the one that was looked at before.
        $this->seen = self::identity($status);
        $list = new ServerList();
        foreach (explode("\n", $text) as $number => $line) {
            $this->take($list, trim((string) preg_replace('/#.*/s', '', $line)), $number + 1);
        }
        try {
            return $list->all();
        } catch (InvalidServer $reason) {
            throw InvalidServer::because($this->path . ': ' . $reason->getMessage());
        }
    }

    private function take(ServerList $list, string $line, int $number): void
    {
        if ($line === '') {
            return;
        }
        $words = (array) preg_split('/[ \t]+/', $line);
        try {
            if (\count($words) > 2) {
                throw InvalidServer::because(
                    \sprintf('There are %d words. A line is a server and its weight.', \count($words)),
                );
            }
            $list->add((string) $words[0], (string) ($words[1] ?? '1'));
        } catch (InvalidServer $reason) {
            throw InvalidServer::line($this->path, $number, $reason);
        }
    }

    /**
     * @param array<array-key, int> $status
     *
     * @return string|null null: it was changed just now, and file times are too coarse to show another change
     */
    private static function identity(array $status): ?string
    {
        $isYoung = max($status['mtime'], $status['ctime']) > time() - 2;

        return $isYoung
            ? null
            : implode(' ', [$status['dev'], $status['ino'], $status['size'], $status['mtime'], $status['ctime']]);
    }
}
