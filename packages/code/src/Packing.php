<?php

declare(strict_types=1);

namespace Larder\Code;

use Closure;
use Larder\Exception\LarderException;

/**
 * Makes packs of a directory.
 *
 * A pack ends, above a size, behind a file whose path says so. So a file that is added or changed changes one pack or
 * two, and not all those behind it (content-defined chunking, as in Muthitacharoen, Chen, Mazières: A Low-bandwidth
 * Network File System, 2001, with the path in place of the bytes).
 *
 * @internal
 */
final class Packing
{
    /** Bytes from which a pack may end, and of how many files' paths one says so. */
    private const ENOUGH = 300_000;
    private const ONE_OF = 8;

    private string $open = '';

    /** @var list<PackedFiles> */
    private array $packs = [];

    /** @param Closure(string, string): void $keep takes the hash and the compressed bytes of each pack */
    private function __construct(private readonly Closure $keep) {}

    /**
     * @param Closure(string, string): void $keep     takes the hash and the compressed bytes of each pack
     * @param Closure(int, int): void       $progress takes how many files are packed, of how many
     *
     * @throws LarderException
     */
    public static function of(SourceTree $tree, Closure $keep, Closure $progress): Manifest
    {
        $packing = new self($keep);
        $files = [];
        $entries = $tree->entries();
        foreach ($entries as [$path, $target]) {
            if ($target !== null) {
                $files[] = new ReleaseFile($path, 0, 0, '', $target);
                continue;
            }
            $bytes = $tree->read($path);
            $files[] = new ReleaseFile($path, $tree->mode($path), \strlen($bytes), hash('sha256', $bytes));
            $packing->add($path, $bytes);
            $progress(\count($files), \count($entries));
        }
        $packing->close();

        return new Manifest($files, $packing->packs);
    }

    private function add(string $path, string $bytes): void
    {
        if (\strlen($this->open) + \strlen($bytes) > PackedFiles::LARGEST) {
            $this->close();
        }
        while (\strlen($bytes) > PackedFiles::LARGEST) {
            $this->open = substr($bytes, 0, PackedFiles::LARGEST);
            $this->close();
            $bytes = substr($bytes, PackedFiles::LARGEST);
        }
        $this->open .= $bytes;
        if (\strlen($this->open) >= self::ENOUGH && crc32($path) % self::ONE_OF === 0) {
            $this->close();
        }
    }

    private function close(): void
    {
        if ($this->open === '') {
            return;
        }
        $compressed = PackedFiles::compress($this->open);
        $this->packs[] = $pack = new PackedFiles(hash('sha256', $compressed), \strlen($this->open));
        ($this->keep)($pack->hash, $compressed);
        $this->open = '';
    }
}
