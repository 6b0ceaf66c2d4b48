<?php

declare(strict_types=1);

namespace Larder\Code;

/** What Puller::pull() did. */
final readonly class Pulled
{
    /**
     * @param string $release its id
     * @param bool $isNew whether it was laid down just now
     * @param int  $packs that were fetched
     * @param int  $bytes of them
     * @param int  $trips round trips to the pool
     */
    public function __construct(
        public string $release,
        public bool $isNew,
        public int $packs,
        public int $bytes,
        public int $trips,
    ) {}
}
