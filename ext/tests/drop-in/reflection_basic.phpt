--TEST--
memcached: the class is php-memcached's by reflection, but for what its version 3.3 adds and what we cannot do
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

const CODE = <<<'PHP'
    $all = [];
    foreach (['Memcached', 'MemcachedException'] as $name) {
        $class = new ReflectionClass($name);
        $all["$name is"] = [$class->getModifiers(), $class->getParentClass() ? $class->getParentClass()->name : '',
            $class->getInterfaceNames(), $class->isCloneable(), array_keys($class->getDefaultProperties())];
        foreach ($class->getMethods() as $method) {
            $parameters = [];
            foreach ($method->getParameters() as $parameter) {
                $parameters[] = [$parameter->name, (string) $parameter->getType(), $parameter->isPassedByReference(),
                    $parameter->isOptional() ? var_export($parameter->getDefaultValue(), true) : 'required'];
            }
            $all["$name::$method->name()"] = [$method->getModifiers(), $method->class, $parameters,
                (string) $method->getReturnType(), (string) $method->getTentativeReturnType()];
        }
        foreach ($class->getReflectionConstants() as $constant) {
            $all["$name::$constant->name"] = [$constant->getModifiers(), $constant->getValue()];
        }
    }
    foreach (ini_get_all('memcached') as $setting => $value) {
        $all["setting $setting"] = $value;
    }
    echo serialize($all);
    PHP;

/* What 3.3 has and an older one may lack, what we cannot do, and how the two are told apart. */
const ALLOWED = [
    'Memcached::cas()' => 'tokens are of several types since 3.3',
    'Memcached::casByKey()' => 'the same',
    'Memcached::OPT_COMPRESSION_LEVEL' => '3.3',
    'Memcached::OPT_ITEM_SIZE_LIMIT' => '3.3',
    'Memcached::COMPRESSION_ZSTD' => '3.3',
    'Memcached::HAVE_ZSTD' => '3.3',
    'setting memcached.compression_level' => '3.3',
    'setting memcached.item_size_limit' => '3.3',
    'Memcached::HAVE_TLS' => 'ours alone, as all of TLS',
    'Memcached::OPT_TLS' => 'the same',
    'Memcached::OPT_TLS_CA' => 'the same',
    'Memcached::OPT_TLS_CERT' => 'the same',
    'Memcached::OPT_TLS_KEY' => 'the same',
    'Memcached::OPT_TLS_NAME' => 'the same',
    'Memcached::OPT_TLS_VERIFY' => 'the same',
    'setting memcached.tls' => 'the same',
    'setting memcached.tls_ca' => 'the same',
    'setting memcached.tls_cert' => 'the same',
    'setting memcached.tls_key' => 'the same',
    'setting memcached.tls_name' => 'the same',
    'setting memcached.tls_verify' => 'the same',
    'Memcached::HAVE_ENCODING' => 'there is no AES',
    'Memcached::HAVE_SASL' => 'there is no SASL',
    'Memcached::LARDER' => 'tells them apart',
    'Memcached::OPT_OBJECTS' => 'ours alone',
    'setting memcached.objects' => 'ours alone',
    'Memcached::LIBMEMCACHED_VERSION_HEX' => 'of the library that the other was built with',
];

$theirs = unserialize(run_with(PEER, CODE));
$ours = unserialize(run_with(ours(), CODE));
foreach ($theirs + $ours as $name => $_) {
    if (($theirs[$name] ?? null) !== ($ours[$name] ?? null) && !isset(ALLOWED[$name])) {
        echo "$name\n  theirs ", json_encode($theirs[$name] ?? null), "\n";
        echo '  ours   ', json_encode($ours[$name] ?? null), "\n";
    }
}
var_dump($ours['Memcached::HAVE_SASL'][1], $ours['Memcached::HAVE_ENCODING'][1]);
var_dump(is_string($ours['Memcached::LARDER'][1]));
echo count($ours) > 190 ? 'compared' : 'too few: ' . count($ours), "\n";
?>
--EXPECT--
bool(false)
bool(false)
bool(true)
compared
