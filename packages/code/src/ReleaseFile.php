<?php

declare(strict_types=1);

namespace Larder\Code;

/**
 * One file or symbolic link of a release.
 *
 * @internal
 */
final readonly class ReleaseFile
{
    /**
     * @param string      $path   below the release's directory, with /
     * @param int         $mode   permission bits, such as 0644; of a link 0
     * @param int         $size   bytes; of a link 0
     * @param string      $hash   SHA-256 of the bytes in hexadecimal; of a link ''
     * @param string|null $target of a link, relative to the link's directory
     */
    public function __construct(
        public string $path,
        public int $mode,
        public int $size,
        public string $hash,
        public ?string $target = null,
    ) {}

    public function isPhp(): bool
    {
        return $this->target === null && str_ends_with($this->path, '.php');
    }
}
