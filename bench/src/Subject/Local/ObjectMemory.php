<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Local;

use Larder\Bench\Subject\Repeating;
use Larder\Bench\Subject\Weighing;

/** A store in memory as one of objects: with strings, which it does not serialize, `apcu+igbinary` is `apcu`. */
interface ObjectMemory extends Repeating, Weighing {}
