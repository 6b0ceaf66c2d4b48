--TEST--
Values: a format that there is not, or that the layout cannot tell, is refused by name
--EXTENSIONS--
larder
--FILE--
<?php
$formats = [
    ['layout' => 'libmc'],
    ['serializer' => 'yaml'],
    ['compressor' => 'gzip'],
    ['compressor' => 'fastlz'],
    ['layout' => 'memcache', 'serializer' => 'json'],
    ['layout' => 'memcache', 'compressor' => 'zstd'], ['layout' => ''],
];
foreach ($formats as $format) {
    try {
        new Larder\Memcached('127.0.0.1:1', ...$format);
        echo "made\n";
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
Larder\Memcached::__construct(): layout "libmc" is unknown: there are memcached and memcache
Larder\Memcached::__construct(): serializer "yaml" is unknown: there are php, igbinary, msgpack, json and none
Larder\Memcached::__construct(): compressor "gzip" is unknown: there are none, zlib, zstd and lz4
Larder\Memcached::__construct(): compressor "fastlz" can be read but not written: there are none, zlib, zstd and lz4
Larder\Memcached::__construct(): serializer "json" cannot be told in the layout memcache, which has php and none
Larder\Memcached::__construct(): compressor "zstd" cannot be told in the layout memcache, which has none and zlib
Larder\Memcached::__construct(): Argument #7 ($layout) cannot be empty
