<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

/** What was read is not a histogram; the message says why. */
final class BadHistogram extends \InvalidArgumentException {}
