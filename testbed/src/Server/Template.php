<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use Closure;

/**
 * An installed data directory that servers start from copies of, since installing one takes far longer than a copy.
 *
 * The first that needs it makes it, under a lock; the others wait for it. It gets its name when it is whole.
 */
final readonly class Template
{
    private string $path;

    /**
     * @param list<string> $programs files that install: a template of other ones is another one
     * @param list<string> $words    what they install with
     * @param string|null  $parent   directory of all templates; null: build/template of the checkout that this file is
     *     in; where it is in none, a directory of this user's own among the system's temporary ones
     */
    public function __construct(array $programs, array $words, ?string $parent = null)
    {
        $identity = [posix_geteuid(), ...$words];
        foreach ($programs as $program) {
            $program = (string) realpath($program);
            $identity = [...$identity, $program, filesize($program), filemtime($program)];
        }
        $this->path = ($parent ?? self::parent()) . '/' . hash('xxh128', serialize($identity));
    }

    /**
     * @param string          $directory that does not exist yet
     * @param Closure(): void $install   makes it, where there is no template yet
     *
     * @throws ServerFailed
     */
    public function copyTo(string $directory, Closure $install): void
    {
        if (is_dir($this->path)) {
            self::copy($this->path, $directory);

            return;
        }
        // A server that is started meanwhile must not keep the lock: it inherits no file that is closed on exec.
        $lock = fopen($this->path . '.lock', 'ce');
        if ($lock === false || !flock($lock, LOCK_EX)) {
            throw ServerFailed::because("cannot lock {$this->path}.lock");
        }
        try {
            clearstatcache();
            if (is_dir($this->path)) {
                self::copy($this->path, $directory);

                return;
            }
            $install();
            // Of a process that was killed here.
            $unfinished = $this->path . '.new';
            self::run('rm', '-rf', $unfinished);
            self::copy($directory, $unfinished);
            if (!rename($unfinished, $this->path)) {
                throw ServerFailed::because('cannot make ' . $this->path);
            }
        } finally {
            fclose($lock);
        }
    }

    private static function parent(): string
    {
        $build = \dirname(__DIR__, 3) . '/build';
        $parent = is_dir($build) && is_writable($build)
            ? $build . '/template'
            : sys_get_temp_dir() . '/larder-template-' . posix_geteuid();
        @mkdir($parent, 0o700);
        // Who can write to it could plant a database that our server then reads.
        $status = @lstat($parent);
        if ($status === false || ($status['mode'] & 0o170022) !== 0o040000 || $status['uid'] !== posix_geteuid()) {
            throw ServerFailed::because("$parent is no directory that belongs to this user alone");
        }

        return $parent;
    }

    /** With owners and modes, which a server that changes its account insists on. */
    private static function copy(string $from, string $to): void
    {
        self::run('cp', '-a', '--reflink=auto', '--', $from, $to);
    }

    private static function run(string ...$command): void
    {
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $output, $status);
        if ($status !== 0) {
            throw ServerFailed::because(implode(' ', $command) . ' failed: ' . implode("\n", $output));
        }
    }
}
