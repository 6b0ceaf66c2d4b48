--TEST--
A class's name keeps nothing of the process that stored it
--EXTENSIONS--
larder
pcntl
--INI--
larder.share=1
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

// The engine keeps a cache slot's number in a class name's refcount: here First has the slot that Second has in the
// child.
$child = pcntl_fork();
if ($child === 0) {
    eval('final class First {} final class Second {}');
    (new Larder\SharedMemory())->set('names', [get_class(new First()), get_class(new Second())]);
    exit(0);
}
pcntl_waitpid($child, $status);
eval('final class Second {} final class First {}');
[$first, $second] = [new First(), new Second()];
foreach ((new Larder\SharedMemory())->get('names') as $name) {
    echo $name, ' makes ', (new $name())::class, "\n";
}
?>
--EXPECT--
First makes First
Second makes Second
