--TEST--
Objects and enums when a get copies
--EXTENSIONS--
larder
--INI--
larder.share=0
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/object.inc';
?>
--EXPECT--
alone: Point 1, 2
enum: one
two places: one object
inside another, later in the array: one object
inside another, earlier in the array: one object
held by reference inside another: one object
a copy of that, written to: on its own
enums: same
a class of PHP: 2026-01-02
own cycle: kept
two gets: two objects
