<?php

declare(strict_types=1);

namespace Larder\Page\Attribute;

use Attribute;

/**
 * Gives a controller with #[Reads] the policy ttl: changes do not drop its pages, which are served for at most so many
 * seconds after they were read. The page's area must have the same ttl, since nginx ends the page.
 */
#[Attribute(Attribute::TARGET_CLASS)]
final readonly class Ttl
{
    public function __construct(public int $seconds) {}
}
