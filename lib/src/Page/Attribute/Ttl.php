<?php

declare(strict_types=1);

namespace Larder\Page\Attribute;

use Attribute;

/**
 * Gives a controller with #[Reads] the policy ttl: its pages outlive changes, by at most so many seconds after the snapshot
 * they were read in. The page's area must have the same ttl, since it is nginx that turns to the next page.
 */
#[Attribute(Attribute::TARGET_CLASS)]
final readonly class Ttl
{
    public function __construct(public int $seconds) {}
}
