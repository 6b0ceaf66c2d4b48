<?php

declare(strict_types=1);

namespace Larder\Code;

/** What Publisher::push() did. */
final readonly class Published
{
    /**
     * @param string $release its id
     * @param int $files  of the release
     * @param int $bytes  of all files
     * @param int $packs  of the release
     * @param int $stored packs, and pieces of the list of files, that the pool did not have
     * @param int $sent   their bytes
     * @param int $number of the release: it rises with each
     */
    public function __construct(
        public string $release,
        public int $files,
        public int $bytes,
        public int $packs,
        public int $stored,
        public int $sent,
        public int $number,
    ) {}
}
