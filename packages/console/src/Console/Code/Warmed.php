<?php

declare(strict_types=1);

namespace Larder\Console\Code;

/** @internal What came of Warming. */
final readonly class Warmed
{
    /**
     * @param int                   $compiled files that are in OPcache now
     * @param int                   $linked   those of them whose classes are linked
     * @param array<string, string> $failed   why not, by path; files that no request includes may be among them
     * @param string|null           $remedy   what to change, if OPcache did not take all, or could not be given all
     */
    public function __construct(
        public int $compiled,
        public int $linked,
        public int $requests,
        public array $failed,
        public ?string $remedy,
    ) {}
}
