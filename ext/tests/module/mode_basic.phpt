--TEST--
larder.share: a CLI program copies unless larder.share=1
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/process.inc';

foreach (['auto', '1', '0'] as $share) {
    echo run_php(
        '["mode" => $mode, "reason" => $reason] = (new Larder\SharedMemory())->info(); echo "$mode: $reason";',
        ['larder.share' => $share],
    ), "\n";
}
?>
--EXPECT--
copy: a process of this SAPI may never end its request (larder.share is auto)
share: 
copy: larder.share is 0
