--TEST--
settings: what the constructor was given, without the password
--EXTENSIONS--
larder
--FILE--
<?php
echo json_encode((new Larder\Memcached())->settings()), "\n";
$given = ['servers' => [
    '127.0.0.1:1' => 3,
    'b:2' => 1,
], 'prefix' => 'p:', 'timeout' => 1, 'retry' => 2, 'ring' => 'modula', 'hash' => 'crc', 'layout' => 'memcached',
    'serializer' => 'json',
    'compressor' => 'zlib',
    'compressionThreshold' => 4,
    'shared' => false,
    'failover' => 'mirror',
    'udp' => true,
    'dnsTimeout' => 5,
    'user' => 'u',
    'tlsCa' => 'a', 'tlsCert' => 'b', 'tlsKey' => 'c', 'tlsName' => 'd', 'tlsVerify' => false,
    'objects' => ['App\Money']];
$cache = new Larder\Memcached(...$given, password: 'secret');
$settings = $cache->settings();
var_dump($settings === $given);
$settings['prefix'] = 'q:';
var_dump($cache->settings() === $given);
$names = array_map(
    fn(ReflectionParameter $parameter) => $parameter->name,
    (new ReflectionMethod($cache, '__construct'))->getParameters(),
);
var_dump(array_values(array_diff($names, array_keys($settings))));
$weights = ['127.0.0.1:1' => 3];
$kept = new Larder\Memcached($weights);
$weights['127.0.0.1:1'] = 4;
var_dump(
    $kept->settings()['servers'] === ['127.0.0.1:1' => 3],
    (new Larder\Memcached(['a:1', 'b:2']))->settings()['servers'] === ['a:1' => 1, 'b:2' => 1],
);
?>
--EXPECT--
{"servers":{"127.0.0.1:11211":1},"prefix":"","timeout":250,"retry":1000,"ring":"larder","hash":null,"layout":"memcached","serializer":"php","compressor":"none","compressionThreshold":2000,"shared":true,"failover":"none","udp":false,"dnsTimeout":1000,"user":null,"tlsCa":null,"tlsCert":null,"tlsKey":null,"tlsName":null,"tlsVerify":true,"objects":[]}
bool(true)
bool(true)
array(1) {
  [0]=>
  string(8) "password"
}
bool(true)
bool(true)
