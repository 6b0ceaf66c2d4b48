<?php

declare(strict_types=1);

namespace Larder\Code;

use Larder\Code\Exception\CodeRefused;

/**
 * The files of a release, and the packs that have their bytes.
 *
 * The bytes of all files, one behind the other, are those of all packs, one behind the other. So a file's place follows
 * from the sizes of those before it, and a file may go through several packs.
 *
 * @internal
 */
final readonly class Manifest
{
    /** Bytes of a release, and how many files it may have. */
    private const LARGEST = 1 << 33;
    private const MOST = 500_000;

    private const FORMAT = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;

    /**
     * @param list<ReleaseFile> $files
     * @param list<PackedFiles> $packs
     */
    public function __construct(
        public array $files,
        public array $packs,
    ) {}

    /** @return string JSON */
    public function encode(): string
    {
        $files = array_map(
            static fn(ReleaseFile $file): array => $file->target === null
                ? [$file->path, $file->mode, $file->size, $file->hash]
                : [$file->path, $file->target],
            $this->files,
        );
        $packs = array_map(static fn(PackedFiles $pack): array => [$pack->hash, $pack->size], $this->packs);

        return json_encode(['files' => $files, 'packs' => $packs], self::FORMAT);
    }

    /** @return string a path as encode() writes it */
    public static function text(string $path): string
    {
        return json_encode($path, self::FORMAT);
    }

    /** @throws CodeRefused if it is no list of files that may be laid down; the message names the file */
    public static function decode(string $json): self
    {
        $read = json_decode($json, true, 8);
        if (!\is_array($read) || !\is_array($read['files'] ?? null) || !\is_array($read['packs'] ?? null)) {
            throw CodeRefused::because('The list of files is not one that larder code:push makes');
        }
        if (\count($read['files']) > self::MOST) {
            throw CodeRefused::because(\sprintf('The list has more than %d files', self::MOST));
        }
        $files = $packs = [];
        $bytes = 0;
        foreach ($read['files'] as $row) {
            $files[] = $file = self::read($row);
            $bytes += $file->size;
        }
        foreach ($read['packs'] as $row) {
            $packs[] = $pack = self::pack($row);
            $bytes -= $pack->size;
        }
        if ($bytes !== 0) {
            throw CodeRefused::because('The packs have not as many bytes as the files in the list');
        }
        self::checkPlaces($files);

        return new self($files, $packs);
    }

    public function bytes(): int
    {
        return array_sum(array_map(static fn(ReleaseFile $file): int => $file->size, $this->files));
    }

    public function file(string $path): ?ReleaseFile
    {
        foreach ($this->files as $file) {
            if ($file->path === $path) {
                return $file;
            }
        }

        return null;
    }

    /**
     * @param list<ReleaseFile> $files of these
     *
     * @return list<PackedFiles> those that have their bytes
     */
    public function packsOf(array $files): array
    {
        $spans = [];
        $at = 0;
        foreach ($this->files as $file) {
            if ($file->size > 0 && \in_array($file, $files, true)) {
                $spans[] = [$at, $at + $file->size];
            }
            $at += $file->size;
        }
        $packs = [];
        $at = 0;
        foreach ($this->packs as $pack) {
            foreach ($spans as [$begin, $end]) {
                if ($begin < $at + $pack->size && $end > $at) {
                    $packs[] = $pack;
                    break;
                }
            }
            $at += $pack->size;
        }

        return $packs;
    }

    /** @return string which files a pack carries, for messages: the first and the last */
    public function filesIn(int $pack): string
    {
        $begin = array_sum(array_map(
            static fn(PackedFiles $before): int => $before->size,
            \array_slice($this->packs, 0, $pack),
        ));
        $end = $begin + $this->packs[$pack]->size;
        $first = $last = null;
        $at = 0;
        foreach ($this->files as $file) {
            if ($file->size > 0 && $at < $end && $at + $file->size > $begin) {
                $first ??= $file->path;
                $last = $file->path;
            }
            $at += $file->size;
        }

        return $first === $last ? (string) $first : $first . ' to ' . $last;
    }

    private static function read(mixed $row): ReleaseFile
    {
        $path = \is_array($row) ? $row[0] ?? null : null;
        if (!\is_array($row) || !\is_string($path)) {
            throw CodeRefused::because('The list has a row that is no file');
        }
        $objection = Paths::objection($path);
        $target = $row[1] ?? null;
        if ($objection === null && \is_string($target) && \count($row) === 2) {
            $objection = Paths::objectionToLink($path, $target);
            $file = new ReleaseFile($path, 0, 0, '', $target);
        } else {
            [$mode, $size, $hash] = [$target, $row[2] ?? null, $row[3] ?? null];
            $file = $objection === null && \is_int($mode) && \is_int($size) && \is_string($hash) && self::isHash($hash)
                && $size >= 0 && $size <= self::LARGEST && ($mode & ~0o777) === 0
                ? new ReleaseFile($path, $mode, $size, $hash)
                : null;
        }
        if ($objection !== null || $file === null) {
            throw CodeRefused::because(\sprintf(
                'The file %s of the list %s',
                self::shown($path),
                $objection ?? 'has no mode, size and hash as larder code:push gives them',
            ));
        }

        return $file;
    }

    private static function pack(mixed $row): PackedFiles
    {
        $hash = \is_array($row) ? $row[0] ?? null : null;
        $size = \is_array($row) ? $row[1] ?? null : null;
        if (!\is_string($hash) || !self::isHash($hash) || !\is_int($size) || $size < 1
            || $size > PackedFiles::LARGEST) {
            throw CodeRefused::because('The list has a pack without a hash, or of a size that no pack has');
        }

        return new PackedFiles($hash, $size);
    }

    /**
     * No two files have one path, and none lies below another file or link: it would be written elsewhere.
     *
     * @param list<ReleaseFile> $files
     */
    private static function checkPlaces(array $files): void
    {
        $taken = [];
        foreach ($files as $file) {
            if (isset($taken[$file->path])) {
                throw CodeRefused::because(\sprintf('The file %s is in the list twice', self::shown($file->path)));
            }
            $taken[$file->path] = true;
        }
        $directories = ['.' => true];
        foreach ($files as $file) {
            for ($above = \dirname($file->path); !isset($directories[$above]); $above = \dirname($above)) {
                if (isset($taken[$above])) {
                    throw CodeRefused::because(\sprintf(
                        'The file %s of the list lies below %s, which is no directory',
                        self::shown($file->path),
                        self::shown($above),
                    ));
                }
                $directories[$above] = true;
            }
        }
    }

    private static function isHash(string $text): bool
    {
        return \strlen($text) === 64 && ctype_xdigit($text);
    }

    private static function shown(string $path): string
    {
        $flags = JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;

        return (string) json_encode(substr($path, 0, 200), $flags);
    }
}
