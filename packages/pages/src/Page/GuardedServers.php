<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Sql\Exception\PageStoreFailed;

/**
 * The memcached servers of a site's pages in the file that `larder guard` writes on each web server, nginx includes and
 * PHP reads: which of them are out, because they did not answer.
 *
 * nginx marks one that is out by `down`: its place on the ring stays, so no key of another server moves. A page of its
 * own is then looked up on the next server of the ring, where PHP never stores it. Another address in its place, one
 * that refuses, would move keys: nginx makes the ring of the addresses (ngx_http_upstream_init_chash).
 *
 * The file's name has a digest of the servers: an nginx with a newer list never loads the servers of an older one.
 *
 * @internal
 */
final readonly class GuardedServers
{
    /** Behind the name of the file: what it was before nginx was told of it. It goes when nginx was. */
    private const BEFORE = '.before';

    /**
     * @param string                 $directory absolute, which is Storage::$guard
     * @param non-empty-list<string> $servers   as Storage::$memcached has them
     */
    public function __construct(
        private string $directory,
        private string $site,
        public array $servers,
    ) {}

    /** @return self|null null: no guard runs */
    public static function of(Site $site): ?self
    {
        $servers = $site->storage->memcached;

        return $site->storage->guard === null || $servers === []
            ? null
            : new self($site->storage->guard, $site->name, $servers);
    }

    public function path(): string
    {
        $digest = substr(hash('xxh64', implode(' ', $this->servers)), 0, 8);

        return \sprintf('%s/%s-%s.conf', rtrim($this->directory, '/'), $this->site, $digest);
    }

    /** What nginx reads inside its `upstream`. */
    public function text(string ...$out): string
    {
        $text = "# larder guard wrote it for {$this->site}: where its pages lie. down: the server did not answer.\n";
        foreach ($this->servers as $server) {
            $text .= "server {$server} max_fails=0" . (\in_array($server, $out, true) ? ' down' : '') . ";\n";
        }

        return $text;
    }

    /** @return list<string>|null the servers that are out; null: there is no file, so nobody guards them */
    public function out(): ?array
    {
        // Of a pipe, in place of the file or the lock, there would be no end.
        $text = is_file($this->path()) ? @file_get_contents($this->path()) : false;
        if ($text === false) {
            return null;
        }
        preg_match_all('/^server (\S+) max_fails=0 down;$/m', $text, $found);

        return $found[1];
    }

    /** Whether the file was changed and nginx not told of it. */
    public function isUntold(): bool
    {
        return is_file($this->path() . self::BEFORE);
    }

    /**
     * Changes the file in one step, and keeps what it was until told() or back().
     *
     * @throws PageStoreFailed if it cannot be written
     */
    public function write(string ...$out): void
    {
        $path = $this->path();
        if (!$this->isUntold() && is_file($path) && !@copy($path, $path . self::BEFORE)) {
            throw $this->failed();
        }
        $new = $path . '.new';
        if (
            @file_put_contents($new, $this->text(...$out)) === false
            || !@chmod($new, 0o644)
            || !@rename($new, $path)
        ) {
            throw $this->failed();
        }
    }

    /** nginx has the file now. */
    public function told(): void
    {
        @unlink($this->path() . self::BEFORE);
    }

    /** Undoes write(), if there was a file before. */
    public function back(): void
    {
        @rename($this->path() . self::BEFORE, $this->path());
    }

    /** @return resource|null held by the only guard of this host, until it is closed; null: another process has it */
    public function lock(): mixed
    {
        $lock = $this->path() . '.lock';
        $file = file_exists($lock) && !is_file($lock) ? false : @fopen($lock, 'c');
        if ($file === false) {
            throw $this->failed();
        }

        return flock($file, LOCK_EX | LOCK_NB) ? $file : null;
    }

    /** @return bool|null whether a guard runs on this host; null: this user cannot tell */
    public function isGuarded(): ?bool
    {
        $lock = $this->path() . '.lock';
        $file = is_file($lock) ? @fopen($lock, 'r') : false;
        if ($file === false) {
            return is_file($lock) ? null : false;
        }
        $isFree = flock($file, LOCK_EX | LOCK_NB);
        fclose($file);

        return !$isFree;
    }

    private function failed(): PageStoreFailed
    {
        $reason = error_get_last()['message'] ?? 'unknown reason';

        return PageStoreFailed::during('write', $this->path(), $reason);
    }
}
