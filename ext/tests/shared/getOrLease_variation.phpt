--TEST--
getOrLease, lease: where there is no room for a lease nobody is to wait: it is 0, and stores nothing
--EXTENSIONS--
larder
--INI--
larder.size=2M
larder.share=1
--FILE--
<?php
$memory = new Larder\SharedMemory();
$memory->set('held', ['a request that reads holds back what is removed meanwhile']);
$held = $memory->get('held');
for ($i = 0; $i < 60000; $i++) {
    $memory->set("key $i", $i);
}
$answer = $memory->getOrLease('none');
var_dump($answer->hit, $answer->answered, $answer->lease, $memory->lease('none'), $memory->lease('held'));
var_dump($memory->set('none', 1, lease: 0), $memory->set('held', 1, lease: 0), $memory->release('none', 0));
?>
--EXPECT--
bool(false)
bool(true)
int(0)
int(0)
int(0)
enum(Larder\Outcome::Exists)
enum(Larder\Outcome::Exists)
bool(false)
