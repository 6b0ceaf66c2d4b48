<?php

declare(strict_types=1);

namespace Larder\Follow;

/** @internal What a database's log says: a RowChange, a BulkChange, Begun or Committed. */
interface LogEvent {}
