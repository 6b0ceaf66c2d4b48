--TEST--
Values: no object is made of a class that is not allowed, whatever form it is in, and no name starts the autoloader
--EXTENSIONS--
larder
igbinary
msgpack
--FILE--
<?php
require __DIR__ . '/raw.inc';

final class Made
{
    /** @var list<string> what ran, and what was asked for */
    public static array $seen = [];
}

class Gadget
{
    public mixed $inside = null;

    public function __wakeup(): void
    {
        Made::$seen[] = static::class;
    }

    public function __destruct()
    {
        Made::$seen[] = static::class;
    }
}

final class Bound extends Gadget {}

final class Later extends DateTimeImmutable {}

final class Restored
{
    public function __serialize(): array
    {
        return [1, 'a' => null];
    }

    public function __unserialize(array $data): void
    {
        Made::$seen[] = self::class;
    }
}

enum Suit: string
{
    case Hearts = 'h';
}

$own = 'O:6:"Gadget":1:{s:6:"inside";N;}';
$later = new DateTimeImmutable('2026-01-01 12:00:00', new DateTimeZone('Europe/Berlin'));
$usual = [new ArrayObject([1]), $later, new DateTime('@7'), new DateInterval('P1D'), (object) ['a' => 1]];
$holder = new ArrayObject([[new Gadget()]]);
$gadget = new Gadget();
$gadget->inside = [$gadget, new Bound()];
$bad = [
    'itself' => new Gadget(),
    'deep in arrays' => ['Gadget', 'a' => [1, [new Gadget(), 'Gadget']]],
    'twice' => [new Gadget(), new Gadget()],
    'in an allowed one' => $holder,
    'in one that holds itself' => $gadget,
    '__unserialize' => ['x' => new Restored()],
    'subclass of an allowed one' => new Later(),
];
$write = [
    'php' => [serialize(...), 4],
    'igbinary' => [igbinary_serialize(...), 5],
    'msgpack' => [msgpack_serialize(...), 7],
];
$raws = [];
foreach ($write as $form => [$by, $flags]) {
    foreach ($bad as $name => $value) {
        $raws["$form, $name"] = [$by($value), $flags];
    }
}
/* What no serializer of today writes. */
$text = static fn(string $text): string => chr(0xa0 + strlen($text)) . $text;
$payload = "x:i:0;a:1:{i:0;$own};m:a:0:{}";
$raws += [
    'php, Serializable' => ['C:11:"ArrayObject":' . strlen($payload) . ":{{$payload}}", 4],
    'php, in other case' => ['O:6:"gADGET":0:{}', 4],
    'php, with a sign' => ['O:+6:"Gadget":0:{}', 4],
    'php, incomplete' => ['O:22:"__PHP_Incomplete_Class":0:{}', 4],
    'php, not loaded' => ['O:4:"Evil":0:{}', 4],
    'php, an enum that is not loaded' => ['a:1:{i:0;E:11:"Evil:Hearts";}', 4],
    'igbinary, by a string before' => ["\0\0\0\2\x14\2\6\0\x11\6Gadget\6\1\x1a\0\x14\0", 5],
    'igbinary, with a long name' => ["\0\0\0\2\x18\0\6Gadget\x14\0", 5],
    'igbinary, not loaded' => ["\0\0\0\2\x17\4Evil\x14\0", 5],
    'igbinary, an enum that is not loaded' => ["\0\0\0\2\x17\4Evil\x27\x11\6Hearts", 5],
    'igbinary, of version 1' => ["\0\0\0\1\x17\6Gadget\x14\0", 5],
    'igbinary, Serializable' => ["\0\0\0\2\x17\x0bArrayObject\x1d" . chr(strlen($payload)) . $payload, 5],
    'msgpack, behind a pair' => ["\x82" . $text('a') . "\1\xc0" . $text('Gadget'), 7],
    'msgpack, Serializable' => ["\x82\xc0\3" . $text('Gadget') . $text('a'), 7],
    'msgpack, a tag from within' => ["\x81" . $text('Gadget') . "\x81\xc0\3", 7],
    'msgpack, an enum' => ["\x82\xc0\6" . $text('Evil') . $text('Hearts'), 7],
    'msgpack, not loaded' => ["\x81\xc0" . $text('Evil'), 7],
];
unset($bad, $holder, $gadget, $value);
gc_collect_cycles();
spl_autoload_register(static function (string $class): void {
    Made::$seen[] = "asked for $class";
});
Made::$seen = [];

$server = MemcachedServer::unix();
$raw = new Raw($server);
$open = static fn(bool|array $objects, string $serializer = 'php'): Larder\Memcached => new Larder\Memcached(
    $server->address,
    serializer: $serializer,
    timeout: 5000,
    objects: $objects,
);
$kinds = [];
foreach (['php', 'igbinary', 'msgpack', 'json', 'none'] as $serializer) {
    foreach ([[], false, ['App\Other', 'DateTimeInterface']] as $objects) {
        $cache = $open($objects, $serializer);
        foreach ($raws as $name => [$bytes, $flags]) {
            $raw->set('key', $bytes, $flags);
            $single = $cache->get('key', 'a miss');
            $kind = $cache->failures()[0]->kind->name ?? 'none';
            $batch = $cache->getMultiple(['other', 'key']);
            [$piped] = $cache->pipeline()->read('key')->run();
            if ($single !== 'a miss' || $batch !== [] || $piped->hit || Made::$seen !== []) {
                echo "$serializer reads $name: ", json_encode(Made::$seen), "\n";
            }
            $kinds[$kind] = ($kinds[$kind] ?? 0) + 1;
            Made::$seen = [];
        }
    }
}
ksort($kinds);
echo count($raws), ' forms: ', json_encode($kinds), "\n";

echo "the usual ones\n";
foreach (['php', 'igbinary', 'msgpack'] as $serializer) {
    $cache = $open([], $serializer);
    $enums = $serializer === 'msgpack' ? [] : [Suit::Hearts, [Suit::Hearts, Suit::Hearts]];
    foreach ([...$usual, ...$enums] as $value) {
        $cache->set('key', $value);
        $read = $cache->get('key', 'a miss');
        serialize($read) === serialize($value) ?: print("$serializer loses " . get_debug_type($value) . "\n");
        foreach ([['set', ['key', $value]], ['setMultiple', [['a' => 1, 'key' => $value]]]] as [$call, $arguments]) {
            try {
                $open(false, $serializer)->$call(...$arguments);
                echo "$serializer stores ", get_debug_type($value), "\n";
            } catch (Larder\Exception\UnstorableValue) {
            }
        }
        $open(false, $serializer)->get('key', 'a miss') === 'a miss' ?: print("$serializer reads it with false\n");
    }
}

echo "a list: exactly those\n";
foreach ($raws as $name => [$bytes, $flags]) {
    $raw->set('key', $bytes, $flags);
    unset($value);
    $value = $open(['\gadget', 'Restored'])->get('key', 'a miss');
    $seen = array_unique(Made::$seen);
    sort($seen);
    if ($value !== 'a miss' || $seen !== []) {
        echo rtrim("$name: " . get_debug_type($value) . " " . implode(", ", $seen)), "\n";
    }
    unset($value);
    gc_collect_cycles();
    Made::$seen = [];
}

echo "written\n";
foreach (['php', 'igbinary', 'msgpack'] as $serializer) {
    foreach ([[], false] as $objects) {
        try {
            $open($objects, $serializer)->set('key', ['a' => new ArrayObject([new Gadget()])]);
            echo "stored\n";
        } catch (Larder\Exception\UnstorableValue $error) {
            echo $error->getMessage(), "\n";
        }
    }
}
unset($error);
Made::$seen = [];
$raw->set('key', $own, 4);
$cache = $open([]);
$cache->get('key');
echo $cache->failures()[0]->message, "\n";
$value = $open(true)->get('key');
echo get_debug_type($value), ' ', implode(', ', Made::$seen), "\n";

foreach ([7, [7], [''], 'Gadget'] as $objects) {
    try {
        new Larder\Memcached($server->address, objects: $objects);
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--EXPECTF--
38 forms: {"ClassRefused":306,"Unreadable":264}
the usual ones
a list: exactly those
php, itself: Gadget Gadget
php, deep in arrays: array Gadget
php, twice: array Gadget
php, in an allowed one: ArrayObject Gadget
php, __unserialize: array Restored
igbinary, itself: Gadget Gadget
igbinary, deep in arrays: array Gadget
igbinary, twice: array Gadget
igbinary, in an allowed one: ArrayObject Gadget
igbinary, __unserialize: array Restored
msgpack, itself: Gadget Gadget
msgpack, deep in arrays: array Gadget
msgpack, twice: array Gadget
msgpack, in an allowed one: ArrayObject Gadget
msgpack, __unserialize: array Restored
php, Serializable: ArrayObject Gadget
php, in other case: Gadget Gadget
igbinary, by a string before: array Gadget
igbinary, with a long name: Gadget Gadget
igbinary, of version 1: Gadget Gadget
igbinary, Serializable: ArrayObject Gadget
msgpack, Serializable: null
written
the value cannot be stored: it holds an object of Gadget, which readers would not take: list that class in $objects, or store an array
the value cannot be stored: it holds an object of ArrayObject, and with objects: false readers take none
the value cannot be stored: it holds an object of Gadget, which readers would not take: list that class in $objects, or store an array
the value cannot be stored: it holds an object of ArrayObject, and with objects: false readers take none
the value cannot be stored: it holds an object of Gadget, which readers would not take: list that class in $objects, or store an array
the value cannot be stored: it holds an object of ArrayObject, and with objects: false readers take none
"key": %s holds an object of a class that $objects does not list, and it was not made: list the class, store an array, or see who writes to this server (class Gadget)
Gadget Gadget
Larder\Memcached::__construct(): Argument #22 ($objects) must be of type bool or a list of classes, int given
Larder\Memcached::__construct(): Argument #22 ($objects) must be a list of names of classes, there is int in it
Larder\Memcached::__construct(): Argument #22 ($objects) must be a list of names of classes, there is "" in it
Larder\Memcached::__construct(): Argument #22 ($objects) must be of type bool or a list of classes, string given
