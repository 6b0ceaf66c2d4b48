<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Larder\Page\Attribute\Reads;
use Larder\Page\Attribute\Ttl;

#[Reads('news')]
#[Ttl(10)]
final class QuickController {}
