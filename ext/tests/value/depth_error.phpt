--TEST--
512 arrays within each other are stored, 513 refused
--EXTENSIONS--
larder
--INI--
larder.share=1
larder.protect=read
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

$nested = static function (int $depth, mixed $inside = 'bottom'): array {
    for ($value = [$inside]; $depth > 1; $depth--) {
        $value = ['k' => $value];
    }

    return $value;
};
check('512', $nested(512));
check('512 with an object', $nested(512, new ArrayObject([1])));
refuse($nested(513));
refuse($nested(5000));
?>
--EXPECT--
512: same
512 with an object: same
Larder\Exception\UnstorableValue: $value['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k'][...]['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k'] is nested in more than 512 arrays; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k'][...]['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k']['k'] is nested in more than 512 arrays; null, bool, int, float, string, array, enum and serializable objects can be stored
