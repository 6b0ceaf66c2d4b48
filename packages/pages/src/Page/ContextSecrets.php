<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Page\Exception\ContextsUnavailable;

/**
 * The secrets that contexts are signed with, by version: lines of the file that nginx includes into a map and PHP
 * reads. A cookie is worth something as long as its version is in there.
 *
 * @internal
 */
final readonly class ContextSecrets
{
    private const LINE = '/^([1-9][0-9]{0,8}) "([0-9a-f]{64})";$/D';

    /** @param non-empty-array<int, string> $secrets 64 hexadecimal digits by version, the newest first */
    private function __construct(private array $secrets) {}

    /**
     * @param string $file absolute
     *
     * @throws ContextsUnavailable if it is not there, cannot be read, or has something else
     */
    public static function of(string $file): self
    {
        // A pipe would never end.
        $text = is_file($file) ? @file_get_contents($file) : false;
        if ($text === false) {
            throw ContextsUnavailable::missing($file);
        }
        $secrets = [];
        foreach (explode("\n", $text) as $line) {
            if ($line === '' || $line[0] === '#') {
                continue;
            }
            if (preg_match(self::LINE, $line, $found) !== 1) {
                throw ContextsUnavailable::malformed($file);
            }
            $secrets[(int) $found[1]] = $found[2];
        }
        krsort($secrets);

        return $secrets === [] ? throw ContextsUnavailable::malformed($file) : new self($secrets);
    }

    /**
     * Makes a new secret of a higher version, and writes the file in one step.
     *
     * @param bool        $keep  the newest secret goes on being accepted; false: no cookie given out so far is
     * @param string|null $group of the system, that may read the file; null: as it was, at first nobody but the owner
     *
     * @throws ContextsUnavailable if it cannot be written
     */
    public static function renew(string $file, bool $keep, ?string $group): self
    {
        // Of two that renew at once, one could else bring back what the other has revoked.
        $lock = file_exists($file . '.lock') && !is_file($file . '.lock') ? false : @fopen($file . '.lock', 'c');
        if ($lock === false || !flock($lock, LOCK_EX)) {
            throw self::failed('locked', $file);
        }
        @chmod($file . '.lock', 0o600);
        try {
            $before = file_exists($file) ? self::of($file) : null;
            $version = ($before?->version() ?? 0) + 1;
            $secrets = [$version => bin2hex(random_bytes(32))];
            if ($before !== null && $keep) {
                $secrets[$before->version()] = $before->newest();
            }
            $after = new self($secrets);
            $after->write($file, $group);

            return $after;
        } finally {
            fclose($lock);
        }
    }

    /** @return int what new cookies are signed with */
    public function version(): int
    {
        return max(array_keys($this->secrets));
    }

    public function newest(): string
    {
        return $this->secrets[$this->version()];
    }

    /** @return string|null null: what has this version is worth nothing */
    public function secret(int $version): ?string
    {
        return $this->secrets[$version] ?? null;
    }

    /** @return non-empty-list<int> those that are accepted, the newest first */
    public function versions(): array
    {
        return array_keys($this->secrets);
    }

    private function write(string $file, ?string $group): void
    {
        $text = "# Larder: secrets of contexts by version. Only root and PHP may read them. larder contexts:secret or\n"
            . "# contexts:revoke writes this file. All web servers of a site have the same one.\n";
        foreach ($this->secrets as $version => $secret) {
            $text .= "$version \"$secret\";\n";
        }
        $before = @stat($file);
        $draft = $file . '.' . bin2hex(random_bytes(8));
        $mask = umask(0o077);
        $isWritten = @file_put_contents($draft, $text) === \strlen($text);
        umask($mask);
        $mode = $group !== null ? 0o640 : ($before === false ? 0o600 : $before['mode'] & 0o640);
        $isDone = $isWritten
            && ($before === false || $before['uid'] === fileowner($draft) || @chown($draft, $before['uid']))
            && ($group === null
                ? $before === false || $before['gid'] === filegroup($draft) || @chgrp($draft, $before['gid'])
                : @chgrp($draft, $group))
            && @chmod($draft, $mode)
            && @rename($draft, $file);
        if (!$isDone) {
            $failed = self::failed('written', $file);
            @unlink($draft);
            throw $failed;
        }
        clearstatcache(true, $file);
    }

    private static function failed(string $step, string $file): ContextsUnavailable
    {
        $reason = error_get_last()['message'] ?? 'unknown reason';

        return ContextsUnavailable::during($step, $file, (string) preg_replace('/^.*: /', '', $reason));
    }
}
