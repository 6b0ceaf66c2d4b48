<?php

declare(strict_types=1);

namespace Larder\Page;

use Composer\InstalledVersions;
use Larder\Page\Exception\InvalidSite;
use RecursiveCallbackFilterIterator;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

/**
 * The files with the code of a release, as `larder deploy` found them.
 *
 * A page is made by this release if every listed file that its render included has the content that was listed, and if
 * PHP cannot have compiled another content of it. That is so if the file has not changed since before PHP compiled it
 * at the earliest. Files that are not listed are not looked at: templates that were compiled since, for one.
 *
 * @internal
 */
final readonly class Manifest
{
    private const EXTENSIONS = ['php', 'phtml', 'inc', 'module', 'install', 'theme', 'tpl'];
    private const LEFT_OUT = ['var', 'node_modules'];

    /**
     * Seconds between a change of a file and a compile that surely saw it: times have whole seconds, and the clock that
     * stamps files is some milliseconds late.
     */
    private const BLUR = 2;

    /** Ends the entry of a file whose mtime does not show that it changed: OPcache may take it for the old one. */
    private const UNSEEN = ' !';

    /** @param ListedFiles $files each with "size mtime ctime hash" */
    private function __construct(
        public int $at,
        private ListedFiles $files,
    ) {}

    /**
     * Lists the code of a site; null: the site says that there is none to be listed.
     *
     * @param self|null $before of the release before
     *
     * @throws InvalidSite if a directory with code is not there, or a file has a tab or a line break in its name
     */
    public static function of(Site $site, ?self $before): ?self
    {
        $roots = $site->operations->code ?? self::project();
        if ($roots === []) {
            return null;
        }
        $at = time();
        $files = [];
        foreach (self::below($roots) as $path) {
            if (strpbrk($path, "\t\n") !== false) {
                throw InvalidSite::because(
                    \sprintf('code: the name "%s" has a tab or a line break', addcslashes($path, "\t\n")),
                );
            }
            $state = self::stateOf($path);
            $isOwn = $path === $site->list || str_starts_with($path, $site->pages . '/');
            $hash = $state === null || $isOwn ? false : @hash_file('xxh128', $path);
            if ($hash !== false) {
                $known = $before?->files->get($path) ?? '';
                // What was unseen stays so: php-fpm may not have been reloaded since the release before.
                $isUnseen = $before !== null && (str_contains($known, $hash)
                    ? str_ends_with($known, self::UNSEEN)
                    : (int) @filemtime($path) <= $before->at);
                $files[$path] = "$state $hash" . ($isUnseen ? self::UNSEEN : '');
            }
        }

        return new self($at, ListedFiles::of($files));
    }

    /** @param string $text as text() gave it */
    public static function from(int $at, string $text): self
    {
        return new self($at, ListedFiles::from($text));
    }

    public function text(): string
    {
        return $this->files->text;
    }

    /** @return list<string> */
    public function paths(): array
    {
        return array_map(strval(...), array_keys($this->files->all()));
    }

    public function lists(string $path): bool
    {
        return $this->files->get($path) !== null;
    }

    /**
     * Waits until code that is compiled from now on is surely that of this list: for no longer than two seconds after
     * the last change.
     */
    public function settle(): void
    {
        $newest = 0;
        foreach ($this->files->all() as $listed) {
            $newest = max($newest, (int) explode(' ', $listed)[2]);
        }
        while (time() < $newest + self::BLUR && time() <= $this->at + self::BLUR) {
            usleep(10_000);
        }
    }

    /** @return string|null why the code that ran may be no code of this release */
    public function objection(CompiledCode $compiled): ?string
    {
        $since = [$compiled->since(false), $compiled->since(true)];
        clearstatcache();
        foreach ($this->files->some([...get_included_files(), ...$compiled->preloaded()]) as $path => $listed) {
            $path = (string) $path;
            // One system call for the three: PHP keeps what it found of the last path.
            $changed = @filectime($path);
            $state = @filesize($path) . ' ' . @filemtime($path) . ' ' . $changed . ' ';
            if ($changed === false || !(str_starts_with($listed, $state) || self::hasContent($path, $listed))) {
                return self::short($path) . ' changed after larder deploy: run it again';
            }
            $mtimeCounts = !str_ends_with($listed, self::UNSEEN);
            if ($changed + self::BLUR > $since[(int) $mtimeCounts]) {
                return $compiled->doubt(self::short($path), $mtimeCounts);
            }
        }

        return null;
    }

    /** @return list<string> listed files that have another content now, as far as this user may read them */
    public function changed(): array
    {
        $changed = [];
        foreach ($this->files->all() as $path => $listed) {
            if (!$this->isAsListed($path, $listed) && (!is_file($path) || is_readable($path))) {
                $changed[] = $path;
            }
        }

        return $changed;
    }

    private function isAsListed(string $path, string $listed): bool
    {
        $state = self::stateOf($path);

        return $state !== null && (str_starts_with($listed, $state . ' ') || self::hasContent($path, $listed));
    }

    private static function hasContent(string $path, string $listed): bool
    {
        $hash = @hash_file('xxh128', $path);

        return $hash !== false && str_contains($listed, ' ' . $hash);
    }

    private static function stateOf(string $path): ?string
    {
        $status = str_contains($path, '://') ? false : @stat($path);

        return $status === false ? null : "{$status['size']} {$status['mtime']} {$status['ctime']}";
    }

    /** @return list<string> where Composer installed the project that this process runs from */
    private static function project(): array
    {
        $root = class_exists(InstalledVersions::class) ? InstalledVersions::getRootPackage()['install_path'] : '';
        $real = realpath($root);

        return $root === '' || $real === false ? [] : [$real];
    }

    /**
     * @param list<string> $directories
     *
     * @return list<string> with what is in directories that are linked to
     */
    private static function below(array $directories): array
    {
        $paths = $linked = [];
        for ($next = 0; isset($directories[$next]); ++$next) {
            if (!is_dir($directories[$next])) {
                throw InvalidSite::because(\sprintf('code: "%s" is no directory', $directories[$next]));
            }
            $root = (string) realpath($directories[$next]);
            $isWanted = static function (SplFileInfo $entry) use (&$directories, &$linked): bool {
                if ($entry->isLink()) {
                    $real = $entry->getRealPath();
                    if ($real !== false && $entry->isDir() && !isset($linked[$real])) {
                        $directories[] = $real;
                        $linked[$real] = true;
                    }

                    return false;
                }

                return $entry->isDir()
                    ? $entry->getFilename()[0] !== '.' && !\in_array($entry->getFilename(), self::LEFT_OUT, true)
                    : \in_array(strtolower($entry->getExtension()), self::EXTENSIONS, true);
            };
            $entries = new RecursiveDirectoryIterator($root, RecursiveDirectoryIterator::SKIP_DOTS);
            $wanted = new RecursiveCallbackFilterIterator($entries, $isWanted);
            // What this user may not read is left out, as a file is: php-fpm's user runs nothing of it.
            $all = new RecursiveIteratorIterator(
                $wanted,
                RecursiveIteratorIterator::LEAVES_ONLY,
                RecursiveIteratorIterator::CATCH_GET_CHILD,
            );
            foreach ($all as $entry) {
                if ($entry instanceof SplFileInfo) {
                    $paths[$entry->getPathname()] = $entry->getPathname();
                }
            }
        }

        return array_values($paths);
    }

    /** Enough of a path to find the file, without the names of directories that nobody needs to know. */
    private static function short(string $path): string
    {
        return implode('/', \array_slice(explode('/', $path), -2));
    }
}
