<?php

declare(strict_types=1);

namespace Larder\Code;

use Larder\Exception\CodeFailed;
use Larder\Exception\CodePoolFailed;
use Larder\Exception\CodeRefused;
use Larder\Exception\InvalidCode;

/**
 * Runs files of an application that is in the pool, without a checkout of it on this host.
 *
 * The first call of the first process pulls the newest release, and serves it. Files are then included from the local
 * disk, so their errors, `__DIR__`, strict types and OPcache are those of any file. A loader stays with the release
 * that was served when it was first asked: no request sees two. A newer one comes by `larder code:pull` and
 * `code:switch`.
 */
final class Loader
{
    private ?string $release = null;

    public function __construct(
        private readonly Pool $pool,
        private readonly PublicKey $key,
        private readonly string $name,
        private readonly Releases $releases,
    ) {}

    /**
     * Includes files in the order in which they are named.
     *
     * @param string|list<string> $files    paths below the release's directory
     * @param bool                $required false: a file that the release does not have gives null
     *
     * @return ($files is string ? mixed : array<string, mixed>) what the file returns; of a list, by path
     *
     * @throws InvalidCode    if a path leads out of the release
     * @throws CodeFailed     if a file is required and not there
     * @throws CodePoolFailed
     * @throws CodeRefused
     */
    public function load(string|array $files, bool $required = true): mixed
    {
        $include = static fn(string $path): mixed => include $path;

        return $this->each($files, $required, $include);
    }

    /**
     * As load(), each file once in a process, as include_once.
     *
     * @param string|list<string> $files
     *
     * @return ($files is string ? mixed : array<string, mixed>) true for a file that was included before
     *
     * @throws InvalidCode
     * @throws CodeFailed
     * @throws CodePoolFailed
     * @throws CodeRefused
     */
    public function once(string|array $files, bool $required = true): mixed
    {
        $include = static fn(string $path): mixed => include_once $path;

        return $this->each($files, $required, $include);
    }

    /** @return string|null where a file of the release lies on this host; null: the release does not have it */
    public function path(string $file): ?string
    {
        $objection = Paths::objection($file);
        if ($objection !== null || str_contains($file, '://')) {
            throw InvalidCode::because(\sprintf(
                '"%s" is not a path below the release: it %s',
                $file,
                $objection ?? 'is a URL',
            ));
        }
        $path = $this->directory() . '/' . $file;

        return is_file($path) ? $path : null;
    }

    /** Where the release lies. Pulls it if there is none. */
    public function directory(): string
    {
        $this->release ??= $this->releases->current() ?? $this->fresh();

        return $this->releases->path($this->release);
    }

    /**
     * Loads classes from the release, by PSR-4. An application that has Composer's autoloader needs none of this: its
     * vendor/autoload.php is a file like any other.
     *
     * @param array<string, string> $prefixes directory in the release by the prefix, such as `['Shop\\' => 'src']`
     */
    public function autoload(array $prefixes): ClassLoader
    {
        $loader = new ClassLoader($this->path(...), $prefixes);
        spl_autoload_register($loader->load(...));

        return $loader;
    }

    /**
     * Lays files down again from their packs, as after one was changed by hand.
     *
     * @param string|list<string> $files
     *
     * @throws InvalidCode if the release does not have one
     * @throws CodeFailed
     * @throws CodePoolFailed
     * @throws CodeRefused
     */
    public function flush(string|array $files): void
    {
        $id = basename($this->directory());
        $manifest = $this->releases->manifest($id);
        foreach ((array) $files as $path) {
            $found = array_values(array_filter(
                $manifest->files,
                static fn(ReleaseFile $file): bool => $file->path === $path && $file->target === null,
            ));
            $file = $found[0] ?? throw InvalidCode::because("The release $id has no file \"$path\"");
            $whole = $this->releases->path($id) . '/' . $path;
            $bytes = (new Layout($manifest, $this->pack(...), 0))->bytes($file);
            LocalDirectory::make(\dirname($whole));
            $made = $this->releases->head($id)->made ?? time();
            LocalDirectory::replace($whole, $bytes, $file->mode, $made - Puller::AGE);
            clearstatcache(true, $whole);
            if (\function_exists('opcache_invalidate')) {
                @opcache_invalidate($whole, true);
            }
        }
    }

    /**
     * Takes this application out of the pool, and nothing else that is in it. What is served stays.
     *
     * @return int how many keys were there
     *
     * @throws CodePoolFailed
     * @throws CodeRefused if what is in the pool was not signed by the key
     */
    public function flushAll(): int
    {
        $keys = new PoolKeys($this->name);
        $signed = $this->pool->fetch([$keys->head()])[$keys->head()] ?? null;
        if ($signed === null) {
            return 0;
        }
        $head = Head::open($signed, $this->key, $this->name);
        $hashes = $head->pieces;
        foreach (ReleaseList::fetch($this->pool, $keys, $head)->packs as $pack) {
            $hashes[] = $pack->hash;
        }

        return $this->pool->remove([$keys->head(), $keys->superseded(), ...array_map($keys->piece(...), $hashes)]);
    }

    /**
     * @param string|list<string> $files
     * @param callable(string): mixed $include
     *
     * @return ($files is string ? mixed : array<string, mixed>)
     */
    private function each(string|array $files, bool $required, callable $include): mixed
    {
        $paths = [];
        foreach ((array) $files as $file) {
            $paths[$file] = $this->path($file);
            if ($paths[$file] === null && $required) {
                throw CodeFailed::because("The release {$this->release} has no file \"$file\"");
            }
        }
        $returned = array_map(static fn(?string $path): mixed => $path === null ? null : $include($path), $paths);

        return \is_string($files) ? $returned[$files] : $returned;
    }

    private function fresh(): string
    {
        $pulled = (new Puller($this->pool, $this->key, $this->name, $this->releases))->pull();

        return $this->releases->alone(function () use ($pulled): string {
            // Another process may have switched meanwhile.
            $current = $this->releases->current();
            if ($current === null) {
                $this->releases->switchTo($pulled->release);
            }

            return $current ?? $pulled->release;
        });
    }

    private function pack(PackedFiles $pack): ?string
    {
        $kept = Puller::kept($this->releases, $pack);
        if ($kept !== null) {
            return $kept;
        }
        $key = (new PoolKeys($this->name))->piece($pack->hash);
        $bytes = $this->pool->fetch([$key])[$key] ?? null;

        return $bytes !== null && hash_equals($pack->hash, hash('sha256', $bytes)) ? $bytes : null;
    }
}
