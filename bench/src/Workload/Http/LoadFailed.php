<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use RuntimeException;

/** Nothing could be measured over HTTP: the message says what was asked, and what came instead. */
final class LoadFailed extends RuntimeException {}
