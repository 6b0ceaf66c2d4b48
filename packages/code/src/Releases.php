<?php

declare(strict_types=1);

namespace Larder\Code;

use Closure;
use Larder\Code\Exception\CodeFailed;
use Larder\Code\Exception\InvalidCode;

/**
 * The releases on this host. Below a directory lie
 *
 *     current            a link to the release that is served: the document root is current/public
 *     releases/ID        one release, whole from the moment at which it has this name
 *     manifests/ID.head  its signed record, and ID.list its list of files
 *     packs/HASH         what was fetched for them
 *     state.json         the newest release that was accepted, and those that were served
 */
final readonly class Releases
{
    /** Seconds that a process waits for another one that changes something here. */
    private const PATIENCE = 60.0;

    /** Seconds that a request may run on a release that is no longer served: as long as web servers wait for PHP. */
    public const RUNNING = 60.0;

    public string $directory;

    /** @throws InvalidCode if the path is not absolute */
    public function __construct(string $directory)
    {
        if (!str_starts_with($directory, '/')) {
            throw InvalidCode::because("The directory of the releases is an absolute path, not \"$directory\"");
        }
        $this->directory = rtrim($directory, '/');
    }

    /** @return string|null the id of the release that is served; null: none is */
    public function current(): ?string
    {
        $target = @readlink($this->directory . '/current');
        $id = $target === false ? '' : basename($target);

        return Paths::isRelease($id) && is_dir($this->path($id)) ? $id : null;
    }

    public function path(string $id): string
    {
        return $this->directory . '/releases/' . $id;
    }

    public function has(string $id): bool
    {
        clearstatcache();

        return Paths::isRelease($id) && is_dir($this->path($id));
    }

    /** @return list<string> the ids, the newest first */
    public function all(): array
    {
        $numbers = [];
        foreach (LocalDirectory::names($this->directory . '/releases') as $id) {
            if ($this->has($id)) {
                $numbers[$id] = $this->head($id)->number ?? 0;
            }
        }
        arsort($numbers);

        return array_map(strval(...), array_keys($numbers));
    }

    /**
     * @internal
     *
     * @return Head|null null: it was lost, or is no release's. What lies on this host is not verified again.
     */
    public function head(string $id): ?Head
    {
        $signed = @file_get_contents($this->directory . "/manifests/$id.head");

        return $signed === false ? null : Head::read($signed);
    }

    /**
     * @internal
     *
     * @throws CodeFailed if it was lost
     */
    public function manifest(string $id): Manifest
    {
        $list = @file_get_contents($this->directory . "/manifests/$id.list");

        return Manifest::decode($list === false ? throw CodeFailed::because(
            "There is no {$this->directory}/manifests/$id.list: serve another release, remove this one, and pull it",
        ) : $list);
    }

    /** @internal */
    public function state(): LocalState
    {
        return LocalState::decode((string) @file_get_contents($this->directory . '/state.json'));
    }

    /**
     * @internal
     *
     * @throws CodeFailed
     */
    public function remember(LocalState $state): void
    {
        LocalDirectory::replace($this->directory . '/state.json', $state->encode());
    }

    /**
     * Serves a release that lies here. It is one rename(2): a request sees the release of before or this one. Those
     * that run go on with the files of before.
     *
     * @throws InvalidCode if it does not lie here
     * @throws CodeFailed
     */
    public function switchTo(string $id): void
    {
        if (!$this->has($id)) {
            throw InvalidCode::because(\sprintf(
                'There is no release "%s" in %s. There are: %s',
                $id,
                $this->directory,
                implode(', ', $this->all()),
            ));
        }
        $current = $this->current();
        if ($current !== $id) {
            $this->remember($this->state()->leaving($current, $id));
            $this->leave($current);
            $this->point($id);
        }
    }

    /**
     * Serves the release again that was served before this one. The one that is left is switched to again only by its
     * name.
     *
     * @return string its id
     *
     * @throws InvalidCode if there is none
     * @throws CodeFailed
     */
    public function rollBack(): string
    {
        $current = $this->current();
        $state = $this->state();
        foreach (array_reverse($state->history) as $id) {
            if ($id !== $current && $this->has($id)) {
                if ($current !== null) {
                    $this->remember($state->withdrawing($current, $id));
                }
                $this->leave($current);
                $this->point($id);

                return $id;
            }
        }
        throw InvalidCode::because("No earlier release lies in {$this->directory}");
    }

    /**
     * Removes all but the newest releases, the one that is served, the one before it, and those on which requests may
     * still run.
     *
     * @param int   $keep    at least 2
     * @param float $running seconds that a request may run on a release after it was left
     *
     * @return list<string> the ids of those removed
     *
     * @throws CodeFailed
     */
    public function prune(int $keep, float $running = self::RUNNING): array
    {
        $state = $this->state();
        $current = $this->current();
        $before = array_filter($state->history, static fn(string $id): bool => $id !== $current);
        $kept = [...\array_slice($this->all(), 0, max(2, $keep)), $current, end($before), $state->release];
        clearstatcache();
        $removed = array_values(array_filter(
            array_diff($this->all(), $kept),
            fn(string $id): bool => (int) @filemtime($this->path($id)) <= time() - $running,
        ));
        foreach ($removed as $id) {
            // It loses its name first: what is half removed is no release.
            $part = $this->directory . '/releases/.part-' . $id;
            if (!@rename($this->path($id), $part)) {
                throw CodeFailed::during('remove', $this->path($id));
            }
            @unlink("{$this->directory}/manifests/$id.head");
            @unlink("{$this->directory}/manifests/$id.list");
        }
        foreach (LocalDirectory::names($this->directory . '/releases') as $name) {
            if (str_starts_with($name, '.part-')) {
                LocalDirectory::remove($this->directory . '/releases/' . $name);
            }
        }
        $this->removePacks();

        return $removed;
    }

    /**
     * Does something while no other process changes the releases. The lock ends with the process.
     *
     * @template T
     * @param Closure(): T $work
     *
     * @return T
     *
     * @throws CodeFailed if another process does not end
     */
    public function alone(Closure $work): mixed
    {
        LocalDirectory::make($this->directory);
        $file = @fopen($this->directory . '/.lock', 'ce');
        if ($file === false) {
            throw CodeFailed::during('open', $this->directory . '/.lock');
        }
        $end = microtime(true) + self::PATIENCE;
        while (!flock($file, LOCK_EX | LOCK_NB)) {
            if (microtime(true) > $end) {
                throw CodeFailed::because(\sprintf(
                    'Another process has worked in %s for %d s',
                    $this->directory,
                    self::PATIENCE,
                ));
            }
            usleep(2_000);
        }
        try {
            return $work();
        } finally {
            fclose($file);
        }
    }

    /** Those that no release here needs, and what a process left that was killed. */
    private function removePacks(): void
    {
        $lists = implode(array_map(
            fn(string $id): string => (string) @file_get_contents("{$this->directory}/manifests/$id.list"),
            $this->all(),
        ));
        foreach (LocalDirectory::names($this->directory . '/packs') as $name) {
            if (!str_contains($lists, "\"$name\"")) {
                LocalDirectory::remove($this->directory . '/packs/' . $name);
            }
        }
    }

    /** The time of a release's directory is when it was laid down, or left: nothing else changes it. */
    private function leave(?string $id): void
    {
        if ($id !== null) {
            @touch($this->path($id));
        }
    }

    private function point(string $id): void
    {
        $link = $this->directory . '/current';
        if (is_dir($link) && !is_link($link)) {
            throw CodeFailed::because("$link is a directory: the link to the release takes its place. Move it away");
        }
        $fresh = $link . '.' . bin2hex(random_bytes(8));
        if (!@symlink("releases/$id", $fresh) || !@rename($fresh, $link)) {
            $failed = CodeFailed::during('point', $link);
            @unlink($fresh);
            throw $failed;
        }
        clearstatcache();
    }
}
