<?php

declare(strict_types=1);

namespace Larder\Exception;

use LogicException;

/**
 * Leases and clear() change what other clients of the same servers would see. Construct the pool with shared: false
 * if there are none.
 */
final class PoolIsShared extends LogicException implements LarderException {}
