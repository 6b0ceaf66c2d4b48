<?php

declare(strict_types=1);

namespace Larder\Code;

use Larder\Code\Exception\CodeFailed;
use Larder\Code\Exception\CodePoolFailed;
use Larder\Code\Exception\CodeRefused;
use Larder\Code\Exception\InvalidCode;

/**
 * Lays files of a release down again that were lost or changed on this host.
 *
 * @internal
 */
final readonly class Repair
{
    private PoolKeys $keys;

    /** @throws InvalidCode */
    public function __construct(private Pool $pool, string $name, private Releases $releases)
    {
        $this->keys = new PoolKeys($name);
    }

    /**
     * Which of these the release has. The list is searched as text: a file that is optional, and never there, is
     * asked for in every request.
     *
     * @param list<string> $paths
     *
     * @return list<string>
     */
    public function known(string $id, array $paths): array
    {
        $list = (string) @file_get_contents("{$this->releases->directory}/manifests/$id.list");

        return array_values(array_filter(
            $paths,
            static fn(string $path): bool => str_contains($list, '[' . Manifest::text($path) . ','),
        ));
    }

    /**
     * Packs that are not on this host are fetched in one round trip.
     *
     * @param list<string> $paths
     *
     * @throws InvalidCode    if the release does not have one
     * @throws CodeFailed
     * @throws CodePoolFailed
     * @throws CodeRefused
     */
    public function lay(string $id, array $paths): void
    {
        $manifest = $this->releases->manifest($id);
        $files = array_map(static fn(string $path): ReleaseFile => $manifest->file($path)
            ?? throw InvalidCode::because("The release $id has no file \"$path\""), $paths);
        $fetched = $this->fetch($manifest, $files);
        $layout = new Layout(
            $manifest,
            fn(PackedFiles $pack): ?string => Puller::kept($this->releases, $pack) ?? $fetched[$pack->hash] ?? null,
            0,
        );
        $made = $this->releases->head($id)->made ?? time();
        foreach ($files as $file) {
            $path = $this->releases->path($id) . '/' . $file->path;
            LocalDirectory::make(\dirname($path));
            if ($file->target !== null) {
                LocalDirectory::link($path, $file->target);
            } else {
                LocalDirectory::replace($path, $layout->bytes($file), $file->mode, $made - Puller::AGE);
            }
            clearstatcache(true, $path);
            if (\function_exists('opcache_invalidate')) {
                @opcache_invalidate($path, true);
            }
        }
    }

    /**
     * @param list<ReleaseFile> $files
     *
     * @return array<string, string> verified bytes by hash
     */
    private function fetch(Manifest $manifest, array $files): array
    {
        $wanted = [];
        foreach ($manifest->packsOf($files) as $pack) {
            if (Puller::kept($this->releases, $pack) === null) {
                $wanted[$this->keys->piece($pack->hash)] = $pack->hash;
            }
        }
        $fetched = [];
        foreach ($wanted === [] ? [] : $this->pool->fetch(array_keys($wanted)) as $key => $bytes) {
            if (hash_equals($wanted[$key], hash('sha256', $bytes))) {
                $fetched[$wanted[$key]] = $bytes;
            }
        }

        return $fetched;
    }
}
