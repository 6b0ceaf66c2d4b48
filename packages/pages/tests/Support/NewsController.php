<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Larder\Page\Attribute\Reads;

#[Reads('news', 'comment', trust: true)]
final class NewsController {}
