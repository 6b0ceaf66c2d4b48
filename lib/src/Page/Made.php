<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Dependency\RecordedReads;

/**
 * A page that was made and may be stored, but is not yet.
 *
 * @internal of Renderer
 */
final readonly class Made
{
    /**
     * @param PagePath $page    where it is stored: with parts or another status it is not where it was asked for
     * @param float    $seconds that it took
     */
    public function __construct(
        public PagePath $page,
        public string $route,
        public Policy $policy,
        public RecordedReads $reads,
        public Response $answer,
        public float $seconds,
    ) {}
}
