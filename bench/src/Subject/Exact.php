<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/**
 * Promises never to hand out what was made before the last change that was acknowledged: one such reply voids its cell.
 */
interface Exact extends Subject {}
