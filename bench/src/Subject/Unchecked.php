<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** A floor whose answers mean nothing and are not held against anything. */
interface Unchecked extends Subject {}
