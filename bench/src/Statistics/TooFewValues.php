<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

/** There are not enough values for the figure that was asked for. */
final class TooFewValues extends \InvalidArgumentException {}
