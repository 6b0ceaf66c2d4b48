--TEST--
Values: of any bytes, the walk tells the classes that the serializers make objects of, and of whole ones no others
--EXTENSIONS--
larder
igbinary
msgpack
--SKIPIF--
<?php
if (getenv('SKIP_ASAN') && !getenv('LARDER_CLASSES')) {
    echo 'skip needs serializers that leak nothing when an object is damaged';
}
?>
--FILE--
<?php
require __DIR__ . '/raw.inc';

/* LARDER_CLASSES: so many inputs; LARDER_SEED: from which. */
$rounds = (int) (getenv('LARDER_CLASSES') ?: 6000);
mt_srand((int) (getenv('LARDER_SEED') ?: 20260107));

final class Made
{
    /** @var array<string, true> */
    public static array $classes = [];
}

class First
{
    public mixed $a = null;
    private mixed $b = 'First';

    public function __wakeup(): void
    {
        Made::$classes[static::class] = true;
    }

    public function __destruct()
    {
        Made::$classes[static::class] = true;
    }
}

final class Second extends First {}

enum Third: string
{
    case One = 'One';
    case Two = 'Two';
}

/* Objects that were made and thrown away again are seen by __destruct, and classes that were looked for by this. */
spl_autoload_register(static function (string $class): void {
    Made::$classes[$class] = true;
});

/** Of what is in a value: enums are told by nothing else. */
$look = static function (mixed $value, int $depth = 0) use (&$look): void {
    if ($value instanceof UnitEnum) {
        Made::$classes[$value::class] = true;
    } elseif ((is_array($value) || is_object($value)) && $depth < 12) {
        foreach ($value instanceof ArrayObject ? $value->getArrayCopy() : (array) $value as $element) {
            $look($element, $depth + 1);
        }
    }
};

/* msgpack has no enums, and what is in a value twice is not read with a list. */
$flags = 4;
$leaf = static function () use (&$flags): mixed {
    return match (mt_rand(0, 9)) {
        0 => null,
        1 => mt_rand(0, 1) === 1,
        2 => mt_rand(-70000, 70000) << mt_rand(0, 40),
        3 => mt_rand() / 7,
        4 => str_repeat(chr(mt_rand(0, 0x30)), mt_rand(0, 300)),
        5 => ['First', 'O:5:"First":0:{}', "\x17\x05First\x14\0", "\x81\xc0\xa5First"][mt_rand(0, 3)],
        6 => $flags === 7 ? 6 : Third::Two,
        7 => new ArrayObject([1, new First()]),
        8 => (object) ['First' => 1],
        9 => new DateTimeImmutable('@' . mt_rand()),
    };
};
$value = static function (int $depth = 0) use (&$value, &$flags, $leaf): mixed {
    if ($depth > 4 || mt_rand(0, 2) === 0) {
        return $leaf();
    }
    $elements = [];
    for ($count = mt_rand(0, 4); $count > 0; $count--) {
        $elements[mt_rand(0, 1) ? $count : "First$count"] = $value($depth + 1);
    }
    if (mt_rand(0, 3) > 0) {
        return $elements;
    }
    $object = mt_rand(0, 1) ? new First() : new Second();
    $object->a = $elements;
    return mt_rand(0, 1) || $flags === 7 ? $object : [$object, $object, 'First'];
};
/* Parts that mean something, to be put anywhere. */
$parts = [
    4 => [
        'O:5:"First":0:{}', 'C:5:"First":0:{}', 'E:9:"Third:One";', 'a:1:{', '}', 's:5:"First";', 'O:4:"Evil":0:{}',
        'r:1;', 'i:1;',
    ],
    5 => [
        "\x17\5First\x14\0", "\x1a\0\x14\0", "\x1a\1\x27\x0e\0", "\x17\5Third\x27\x11\3One", "\x14\1", "\x11\5First",
        "\x25", "\x22\0", "\x17\4Evil\x14\0", "\x1d\0",
    ],
    7 => [
        "\x81\xc0\xa5First", "\x82\xc0\3\xa5First\xa0", "\x82\xc0\6\xa5Third\xa3One", "\xc0", "\x81", "\xa5First",
        "\x80", "\x92", "\3", "\x81\xc0\xa4Evil",
    ],
];
$change = static function (string $bytes, string $other, int $flags) use ($parts): string {
    for ($count = mt_rand(0, 3); $count > 0 && $bytes !== ''; $count--) {
        $at = mt_rand(0, strlen($bytes) - 1);
        $part = $parts[$flags][mt_rand(0, count($parts[$flags]) - 1)];
        $bytes = match (mt_rand(0, 4)) {
            0 => substr_replace($bytes, chr(mt_rand(0, 255)), $at, 1),
            1 => substr_replace($bytes, $part, $at, 0),
            2 => substr_replace($bytes, $part, $at, strlen($part)),
            3 => substr($bytes, 0, $at) . substr($other, mt_rand(0, max(0, strlen($other) - 1))),
            4 => $bytes,
        };
    }
    return $bytes;
};

$server = MemcachedServer::unix('-m', '64');
$raw = new Raw($server);
$open = static fn(bool|array $objects): Larder\Memcached => new Larder\Memcached(
    $server->address,
    timeout: 5000,
    objects: $objects,
);
$all = $open(true);
$usual = $open([]);
$write = [4 => serialize(...), 5 => igbinary_serialize(...), 7 => msgpack_serialize(...)];
$whole = $objects = $refused = 0;
set_error_handler(static fn(): bool => true);
$others = array_fill_keys([4, 5, 7], '');
for ($round = 0; $round < $rounds; $round++) {
    $flags = [4, 5, 7][$round % 3];
    $is_changed = mt_rand(0, 2) > 0;
    $of = $value();
    $bytes = $write[$flags]($of);
    unset($of);
    $plain = $bytes;
    $bytes = $is_changed ? $change($bytes, $others[$flags], $flags) : $bytes;
    $others[$flags] = $plain;
    $raw->set('key', $bytes, $flags);

    /* One after the other is allowed, until none is refused. */
    $told = [];
    Made::$classes = [];
    for ($cache = $usual; ; $cache = $open(array_map(strval(...), array_keys($told)))) {
        $got = $cache->get('key', 'a miss');
        $failure = $cache->failures()[0] ?? null;
        if ($told === [] && Made::$classes !== []) {
            echo 'made without a list: ', json_encode(array_keys(Made::$classes)), ' ', base64_encode($bytes), "\n";
        }
        if ($failure?->kind !== Larder\FailureKind::ClassRefused) {
            break;
        }
        $refused++;
        preg_match('/\((?:class|enum) (.*)\)$/s', $failure->message, $match);
        $name = stripcslashes($match[1] ?? '');
        if ($name === '' || isset($told[$name]) || count($told) > 9) {
            break;
        }
        $told[$name] = true;
    }
    $with_list = $failure === null;
    unset($got, $cache, $failure);
    gc_collect_cycles();
    Made::$classes = [];
    /* What is not whole is not decoded with a list, and igbinary 3.2 itself breaks on some of that. */
    $got = $with_list ? $all->get('key', 'a miss') : null;
    $is_read = $all->failures() === [];
    $look($got);
    unset($got);
    gc_collect_cycles();
    /* Names differ by case alone where bytes were changed so. */
    $made = array_change_key_case(Made::$classes);
    $told = array_change_key_case($told);
    $more = array_diff_key($made, $told, ['third' => true]);
    if ($more !== [] && $with_list) {
        echo 'not told: ', json_encode(array_keys($more)), " by $flags of ", base64_encode($bytes), "\n";
    }
    if (!$is_changed && (!$is_read || !$with_list || array_diff_key($told, $made) !== [])) {
        $less = json_encode(array_keys(array_diff_key($told, $made)));
        echo "not made: $less by $flags of ", base64_encode($bytes), "\n";
    }
    $whole += (int) !$is_changed;
    $objects += (int) ($made !== []);
}
restore_error_handler();
if (getenv('LARDER_CLASSES')) {
    fprintf(STDERR, "%d inputs, %d whole, %d made objects, %d names refused\n", $rounds, $whole, $objects, $refused);
}
echo $whole > $rounds / 4 && $objects > $rounds / 5 ? 'compared' : "$whole whole, $objects made objects", "\n";
?>
--EXPECT--
compared
