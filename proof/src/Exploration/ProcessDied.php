<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Error;

/** Thrown by every call of a dead process, when PHP unwinds its fiber after the run. */
final class ProcessDied extends Error {}
