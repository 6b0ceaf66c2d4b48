--TEST--
memcache: classes, functions, constants and settings are php-memcache's by reflection, but for the constant LARDER
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/pair.inc';

const CODE = <<<'PHP'
    $all = [];
    $module = new ReflectionExtension('memcache');
    foreach ($module->getClasses() as $name => $class) {
        $all["$name is"] = [$class->getModifiers(), $class->getParentClass() ? $class->getParentClass()->name : '',
            $class->getInterfaceNames(), $class->isCloneable(), array_keys($class->getDefaultProperties())];
        foreach ($class->getMethods() as $method) {
            $all["$name::$method->name()"] = (string) $method;
        }
        foreach ($class->getReflectionConstants() as $constant) {
            $all["$name::$constant->name"] = [$constant->getModifiers(), $constant->getValue()];
        }
    }
    foreach ($module->getFunctions() as $name => $function) {
        $all["$name()"] = (string) $function;
    }
    foreach (get_defined_constants(true)['memcache'] as $name => $value) {
        $all[$name] = $value;
    }
    foreach (ini_get_all('memcache') as $setting => $value) {
        $all["setting $setting"] = $value;
    }
    echo serialize($all);
    PHP;

$theirs = unserialize(run_with(MEMCACHE_PEER, CODE));
$ours = unserialize(run_with(our_memcache(), CODE));
foreach ($theirs + $ours as $name => $_) {
    if (($theirs[$name] ?? null) !== ($ours[$name] ?? null)) {
        echo "$name\n  theirs ", json_encode($theirs[$name] ?? null), "\n";
        echo '  ours   ', isset($theirs[$name]) ? json_encode($ours[$name] ?? null) : 'only', "\n";
    }
}
echo count($theirs) > 90 ? 'compared' : 'too few: ' . count($theirs), "\n";
?>
--EXPECT--
MemcachePool::LARDER
  theirs null
  ours   only
Memcache::LARDER
  theirs null
  ours   only
setting memcache.objects
  theirs null
  ours   only
compared
