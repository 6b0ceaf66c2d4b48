<?php

declare(strict_types=1);

namespace Larder\Code;

use Larder\Code\Exception\CodeFailed;
use Larder\Code\Exception\CodePoolFailed;
use Larder\Code\Exception\CodeRefused;
use Larder\Code\Exception\InvalidCode;

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

    /** @param int $atLeast number of the oldest release that this host takes, also if it has never pulled one */
    public function __construct(
        private readonly Pool $pool,
        private readonly PublicKey $key,
        private readonly string $name,
        private readonly Releases $releases,
        private readonly int $atLeast = 0,
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
        $this->repair()->lay(basename($this->directory()), (array) $files);
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
        $hashes = [...$head->pieces, ...$keys->hashesIn($this->pool->fetch([$keys->superseded()]))];
        try {
            foreach (ReleaseList::fetch($this->pool, $keys, $head)->packs as $pack) {
                $hashes[] = $pack->hash;
            }
        } catch (CodeRefused) {
            // The list was displaced or spoilt. What it named is nobody's any more, and will be displaced.
        }
        $all = [$keys->head(), $keys->superseded(), ...array_map($keys->piece(...), $hashes)];

        return $this->pool->remove(array_values(array_unique($all)));
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
        }
        foreach ($this->restored(array_map(strval(...), array_keys($paths, null, true))) as $file => $path) {
            $paths[$file] = $path;
        }
        $missing = array_search(null, $paths, true);
        if ($missing !== false && $required) {
            throw CodeFailed::because("The release {$this->release} has no file \"$missing\"");
        }
        $returned = array_map(static fn(?string $path): mixed => $path === null ? null : $include($path), $paths);

        return \is_string($files) ? $returned[$files] : $returned;
    }

    /**
     * What the release has, and this host has lost, comes back in one round trip.
     *
     * @param list<string> $files
     *
     * @return array<string, string|null> paths on this host
     */
    private function restored(array $files): array
    {
        $id = (string) $this->release;
        $lost = $files === [] ? [] : $this->repair()->known($id, $files);
        if ($lost !== []) {
            $this->repair()->lay($id, $lost);
        }

        return array_combine($lost, array_map($this->path(...), $lost));
    }

    private function fresh(): string
    {
        $pulled = (new Puller($this->pool, $this->key, $this->name, $this->releases, $this->atLeast))->pull();

        return $this->releases->alone(function () use ($pulled): string {
            // Another process may have switched meanwhile.
            $current = $this->releases->current();
            if ($current === null) {
                $this->releases->switchTo($pulled->release);
            }

            return $current ?? $pulled->release;
        });
    }

    private function repair(): Repair
    {
        return new Repair($this->pool, $this->name, $this->releases);
    }
}
