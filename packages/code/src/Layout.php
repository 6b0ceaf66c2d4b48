<?php

declare(strict_types=1);

namespace Larder\Code;

use Closure;
use Larder\Code\Exception\CodeFailed;
use Larder\Code\Exception\CodeRefused;

/**
 * Lays the files of a release down from its packs.
 *
 * @internal
 */
final class Layout
{
    private int $pack = 0;

    private string $bytes = '';

    private int $at = 0;

    /** @var array<string, true> directories that were made */
    private array $made = [];

    /**
     * @param Closure(PackedFiles): ?string $packed gives a pack's verified, compressed bytes; null: it is not here
     * @param int                           $mtime  of all files: OPcache does not keep a file that is younger than
     *     opcache.file_update_protection
     */
    public function __construct(
        private readonly Manifest $manifest,
        private readonly Closure $packed,
        private readonly int $mtime,
    ) {}

    /**
     * @param string                     $directory that does not exist
     * @param (Closure(int, int): void)  $progress  takes how many files are there, of how many
     *
     * @throws CodeFailed  the message names the file
     * @throws CodeRefused
     */
    public function to(string $directory, Closure $progress): void
    {
        LocalDirectory::make($directory);
        $plain = 0o666 & ~umask();
        foreach ($this->manifest->files as $number => $file) {
            $path = $directory . '/' . $file->path;
            $this->makeAbove($path);
            if ($file->target !== null) {
                if (!@symlink($file->target, $path)) {
                    throw CodeFailed::during('make the link', $path);
                }
            } else {
                $stream = @fopen($path, 'xbe');
                if ($stream === false) {
                    throw CodeFailed::during('make', $path);
                }
                for ($left = $file->size; $left > 0; $left -= \strlen($piece)) {
                    $piece = $this->next($left);
                    LocalDirectory::append($stream, $path, $piece);
                }
                LocalDirectory::finish($stream, $path, $file->mode === $plain ? null : $file->mode, $this->mtime);
            }
            $progress($number + 1, \count($this->manifest->files));
        }
    }

    /** The bytes of one file. */
    public function bytes(ReleaseFile $wanted): string
    {
        $from = 0;
        foreach ($this->manifest->files as $file) {
            if ($file === $wanted) {
                break;
            }
            $from += $file->size;
        }
        $this->pack = $this->at = 0;
        $this->bytes = '';
        while ($this->pack < \count($this->manifest->packs) && $from >= $this->manifest->packs[$this->pack]->size) {
            $from -= $this->manifest->packs[$this->pack++]->size;
        }
        for ($skipped = 0; $skipped < $from; $skipped += \strlen($this->next($from - $skipped)));
        $bytes = '';
        while (\strlen($bytes) < $wanted->size) {
            $bytes .= $this->next($wanted->size - \strlen($bytes));
        }

        return $bytes;
    }

    private function next(int $most): string
    {
        if ($this->at === \strlen($this->bytes)) {
            $pack = $this->manifest->packs[$this->pack];
            $compressed = ($this->packed)($pack) ?? throw CodeRefused::pack(
                $pack->hash,
                $this->manifest->filesIn($this->pack),
                'is not here',
            );
            $this->bytes = PackedFiles::expand($compressed, $pack->size) ?? throw CodeRefused::pack(
                $pack->hash,
                $this->manifest->filesIn($this->pack),
                'does not expand to the size in the list',
            );
            $this->at = 0;
            ++$this->pack;
        }
        $piece = substr($this->bytes, $this->at, $most);
        $this->at += \strlen($piece);

        return $piece;
    }

    private function makeAbove(string $path): void
    {
        $above = \dirname($path);
        if (!isset($this->made[$above])) {
            LocalDirectory::make($above);
            $this->made[$above] = true;
        }
    }
}
