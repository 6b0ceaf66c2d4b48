--TEST--
Values: bytes that are cut or changed are a miss or another value, never a crash, a warning or much memory
--EXTENSIONS--
larder
igbinary
msgpack
--INI--
memory_limit=96M
--FILE--
<?php
require __DIR__ . '/values.inc';
require __DIR__ . '/raw.inc';

/*
 * igbinary 3.2 itself reads memory that it never wrote when an object with __unserialize is damaged, so it gets none
 * here.
 */
$of_igbinary = static fn(mixed $value): bool => is_array($value) && !is_object(current($value));

mt_srand(20240229);
$server = MemcachedServer::unix('-m', '128');
$raw = new Raw($server);
$forms = [];
foreach ([
    ['php', 'none'],
    ['igbinary', 'none'],
    ['msgpack', 'none'],
    ['json', 'none'],
    ['php', 'zlib'],
    ['igbinary', 'zstd'],
    ['php', 'lz4'],
    ['none', 'lz4'],
] as [$serializer, $compressor]) {
    $cache = new Larder\Memcached(
        $server->address,
        serializer: $serializer,
        compressor: $compressor,
        compressionThreshold: 20,
        timeout: 5000,
        objects: true,
    );
    foreach (values() as $name => $value) {
        if ($serializer === 'igbinary' && !is_scalar($value) && !$of_igbinary($value)) {
            continue;
        }
        try {
            $cache->set('key', $value);
        } catch (Larder\Exception\UnstorableValue) {
            continue;
        }
        [$bytes, $flags] = $raw->get('key');
        $forms["$flags $bytes"] = [$bytes, $flags, "$name by $serializer and $compressor"];
    }
}
foreach (require __DIR__ . '/fastlz.inc' as $name => [$flags, $bytes]) {
    $forms["$flags $bytes"] = [$bytes, $flags, "$name by fastlz"];
}

/* What __unserialize says is not the concern here, of our classes or PHP's own. */
set_error_handler(static fn(
    int $number,
    string $words,
    string $file,
) => $number === E_DEPRECATED || basename($file) === 'values.inc'
    ?: throw new ErrorException($words));
$cache = new Larder\Memcached($server->address, timeout: 5000, objects: true);
$read = $cut = $changed = 0;
/* In a function of its own: under PHP 8.4's tracing JIT the measure was wrong without, for an unknown cause. */
$get = static function () use ($cache): void {
    try {
        $cache->get('key');
    } catch (TypeError | UnexpectedValueException | Error) {
        /* A class that does not take what it was given. */
    }
};
$try = static function (string $bytes, int $flags, string $name) use ($raw, $get, &$read): void {
    $raw->set('key', $bytes, $flags);
    $before = memory_get_usage();
    memory_reset_peak_usage();
    $get();
    if (memory_get_peak_usage() - $before > 2 * 1024 * 1024 + 300 * strlen($bytes)) {
        echo "$name: ", memory_get_peak_usage() - $before, ' bytes of memory for ', strlen($bytes), "\n";
    }
    $read++;
};
foreach ($forms as [$bytes, $flags, $name]) {
    $length = strlen($bytes);
    for ($end = 0; $end < $length; $end += max(1, intdiv($length, 40))) {
        $try(substr($bytes, 0, $end), $flags, $name);
        $cut++;
    }
    for ($i = 0; $i < 40 && $length > 0; $i++) {
        $other = $bytes;
        for ($changes = mt_rand(1, 3); $changes > 0; $changes--) {
            $other[mt_rand(0, mt_rand(0, 2) ? $length - 1 : min(8, $length - 1))] = chr(mt_rand(0, 255));
        }
        $try($other, $flags, $name);
        $changed++;
    }
}
echo count($forms) > 150 && $cut > 4000 && $changed > 6000 && $read === $cut + $changed
    ? 'all read'
    : "$read of " . count($forms) . " forms, $cut cut, $changed changed", "\n";
?>
--EXPECT--
all read
