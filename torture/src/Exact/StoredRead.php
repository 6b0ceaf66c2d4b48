<?php

declare(strict_types=1);

namespace Larder\Torture\Exact;

use Larder\Dependency\RecordedReads;

/** A read whose result was registered as a page, as if it were one. */
final readonly class StoredRead
{
    /** @param string $result of the plain connection, at the moment of the recording */
    public function __construct(
        public Read $read,
        public string $page,
        public RecordedReads $reads,
        public string $result,
    ) {}
}
