--TEST--
Answer: made by stores written in PHP too
--EXTENSIONS--
larder
--FILE--
<?php
var_dump(new Larder\Answer());
$answer = new Larder\Answer(hit: true, value: [1], version: 3, stale: true, lease: 4);
echo json_encode($answer), "\n";
foreach ([fn() => $answer->__construct(), fn() => serialize($answer), fn() => $answer->other = 1] as $call) {
    try {
        $call();
    } catch (Throwable $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
object(Larder\Answer)#1 (6) {
  ["hit"]=>
  bool(false)
  ["value"]=>
  NULL
  ["version"]=>
  int(0)
  ["stale"]=>
  bool(false)
  ["lease"]=>
  NULL
  ["answered"]=>
  bool(true)
}
{"hit":true,"value":[1],"version":3,"stale":true,"lease":4,"answered":true}
Error: Cannot modify readonly property Larder\Answer::$hit
Exception: Serialization of 'Larder\Answer' is not allowed
Error: Cannot create dynamic property Larder\Answer::$other
