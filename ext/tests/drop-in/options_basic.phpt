--TEST--
memcached: each option takes and refuses the values that it does with php-memcached, with the same side effects
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

/* Not 4 and 5: the system decides the sizes of buffers. */
same(<<<'PHP'
    error_reporting(0);
    $numbers = array_diff(range(0, 37), [4, 5]);
    foreach ([...$numbers, -1001, -1003, -1004, -1005, -1006, -1, 39, 1000] as $option) {
        foreach ([0, 1, 2, 3, 5, 6, 7, 8, -1, 1000, 70000, '1', null, true] as $value) {
            if ($option === -1004 && $value === 3) {
                continue; /* zstd, since 3.3 */
            }
            $memcached = new Memcached();
            $memcached->addServer('127.0.0.1', 9);
            $before = array_map([$memcached, 'getOption'], $numbers);
            echo $option, ' ', json_encode($value), ' ', json_encode($memcached->setOption($option, $value)), ' ';
            echo $memcached->getResultCode(), ' ', $memcached->getResultMessage(), ' ';
            echo error_get_last()['message'] ?? '';
            error_clear_last();
            foreach ($numbers as $place => $number) {
                $is = $memcached->getOption($number);
                echo $is === $before[$place] ? '' : " $number=$is";
            }
            echo "\n";
        }
    }
    /* A server with a weight, added afterwards. */
    foreach ([[9, 0], [9, 1], [9, 5], [9, 6], [3, 1], [16, 1], [9, 1, 9, 0]] as $set) {
        $memcached = new Memcached();
        foreach (array_chunk($set, 2) as [$option, $value]) {
            $memcached->setOption($option, $value);
        }
        foreach ([1, 3] as $weight) {
            $memcached->addServer('127.0.0.1', $weight, $weight);
            $options = [2, 3, 9, 16, 17];
            echo json_encode([$set, $weight, array_map([$memcached, 'getOption'], $options)]), "\n";
        }
    }
    PHP);
?>
--EXPECTF--
%Athe same, and 0 items
