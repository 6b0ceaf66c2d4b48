<?php

declare(strict_types=1);

namespace Larder\Exception;

use LogicException;

/** With failover a key is also taken from a server that missed its last change: construct the pool with failover: 'none' for a store. */
final class FailoverIsOn extends LogicException implements LarderException {}
