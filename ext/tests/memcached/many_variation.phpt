--TEST--
10,000 keys of 10 KB each: set and got in one call
--EXTENSIONS--
larder
--INI--
memory_limit=1G
--FILE--
<?php
require __DIR__ . '/server.inc';

$servers = [MemcachedServer::unix('-m', '512'), MemcachedServer::tcp('-m', '512')];
foreach ([[$servers[0]->address], array_column($servers, 'address')] as $addresses) {
    $cache = new Larder\Memcached($addresses, timeout: 20000, shared: false);
    $cache->clear();
    $values = [];
    for ($number = 0; $number < 10000; $number++) {
        $values["key:$number"] = str_repeat(chr(33 + $number % 90), 10000) . $number;
    }
    $outcomes = $cache->setMultiple($values);
    var_dump(array_keys($outcomes) === array_keys($values), array_unique(array_column($outcomes, 'name')));
    $keys = array_keys($values);
    mt_srand(1);
    shuffle($keys);
    $got = $cache->getMultiple($keys);
    var_dump(array_keys($got) === $keys, $got == $values);
    var_dump(
        array_unique(array_column($cache->touchMultiple($keys), 'name')),
        array_unique(array_column($cache->deleteMultiple($keys), 'name')),
    );
    var_dump(
        array_unique($cache->incrementMultiple($keys, 1, 7)),
        array_sum(array_column($cache->info(), 'connects')),
        $cache->failures(),
    );
}
?>
--EXPECT--
bool(true)
array(1) {
  [0]=>
  string(4) "Done"
}
bool(true)
bool(true)
array(1) {
  [0]=>
  string(4) "Done"
}
array(1) {
  [0]=>
  string(4) "Done"
}
array(1) {
  ["key:6291"]=>
  int(7)
}
int(1)
array(0) {
}
bool(true)
array(1) {
  [0]=>
  string(4) "Done"
}
bool(true)
bool(true)
array(1) {
  [0]=>
  string(4) "Done"
}
array(1) {
  [0]=>
  string(4) "Done"
}
array(1) {
  ["key:6291"]=>
  int(7)
}
int(2)
array(0) {
}
