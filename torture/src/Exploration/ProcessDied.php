<?php

declare(strict_types=1);

namespace Larder\Torture\Exploration;

use Error;

/**
 * Thrown at whatever a dead process tries when PHP unwinds its fiber at the end of a run: none of it may have an
 * effect.
 */
final class ProcessDied extends Error {}
