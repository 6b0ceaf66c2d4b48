--TEST--
A value that cannot be read is a miss for every read, and failures() says why: class changed, gone, throwing; enum gone
--EXTENSIONS--
larder
igbinary
msgpack
--FILE--
<?php
require __DIR__ . '/server.inc';

const BEFORE = <<<'PHP'
    final class Changed { public $views = 'many'; }
    final class Gone { public $name = 'a'; }
    final class Wakes { public int $n = 1; public function __wakeup(): void {} }
    enum Suit { case Hearts; case Clubs; }
    enum Lost { case One; }
    PHP;
const AFTER = <<<'PHP'
    final class Changed { public int $views = 0; }
    final class Wakes { public int $n = 1; public function __wakeup(): void { throw new DomainException('not now'); } }
    enum Suit { case Clubs; }
    PHP;
const VALUES = [
    'changed' => 'new Changed()', 'gone' => '["deep" => [new Gone()]]', 'wakes' => '[new Wakes()]',
    'case' => '[Suit::Hearts]', 'enum' => 'Lost::One',
];

$server = MemcachedServer::unix();
$open = static fn(string $serializer): Larder\Memcached => new Larder\Memcached(
    $server->address,
    prefix: "$serializer:",
    timeout: 5000,
    serializer: $serializer,
    shared: false,
    objects: true,
);
$child = pcntl_fork();
if ($child === 0) {
    eval(BEFORE);
    foreach (['php', 'igbinary', 'msgpack'] as $serializer) {
        foreach (VALUES as $key => $value) {
            try {
                $open($serializer)->set($key, eval("return $value;"));
            } catch (Larder\Exception\UnstorableValue) {
                /* msgpack has no enums. */
            }
        }
        $open($serializer)->set('whole', 'whole');
    }
    posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($child, $status);
eval(AFTER);
set_error_handler(static function (int $level, string $text): never { throw new ErrorException($text); });
foreach (['php', 'igbinary', 'msgpack'] as $serializer) {
    $cache = $open($serializer);
    foreach (array_keys(VALUES) as $key) {
        /* msgpack does not look at the types of properties: it gives an object that its class would not have made. */
        if (!$cache->has($key) || [$serializer, $key] === ['msgpack', 'changed']) {
            continue;
        }
        $seen = [];
        foreach ([
            static fn() => $cache->get($key, 'default') === 'default',
            static fn() => !$cache->read($key)->hit,
            static fn() => !$cache->getAndTouch($key)->hit,
            static fn() => $cache->getMultiple([$key, 'whole']) === ['whole' => 'whole'],
            static fn() => !$cache->readMultiple([$key, 'whole'])[$key]->hit,
            static fn() => !$cache->pipeline()->read($key)->read('whole')->run()[0]->hit,
            static fn() => is_int(($GLOBALS['lease'] = $cache->getOrLease($key)->lease)),
            static fn() => $cache->getOrLease($key)->lease === null,
        ] as $call) {
            $seen[] = $call() ? 'miss' : 'NO MISS';
            foreach ($cache->failures() as $failure) {
                $seen[] = $failure->kind->name . ' of ' . $failure->key;
                $why = preg_replace('/.*\((.*)\)$/s', '$1', $failure->message);
            }
        }
        echo "$serializer $key: ", implode(', ', array_unique($seen)), ' (', count($seen), "): $why\n";
        echo '    ', $cache->set($key, 'anew', lease: $lease)->name, ' ', $cache->get($key), "\n";
    }
}

/* exit() is no exception of the value's. */
final class Leaves
{
    public function __serialize(): array { return []; }
    public function __unserialize(array $data): void { echo "left\n"; exit; }
}
$cache->set('leaves', new Leaves());
$cache = $open('php');
$cache->set('leaves', new Leaves());
$cache->get('leaves');
echo "not reached\n";
?>
--EXPECT--
php changed: miss, ClassChanged of changed (16): TypeError: Cannot assign string to property Changed::$views of type int
    Done anew
php gone: miss, ClassGone of gone (16): class Gone
    Done anew
php wakes: miss, ClassChanged of wakes (16): DomainException: not now
    Done anew
php case: miss, ClassGone of case (16): Undefined constant Suit::Hearts
    Done anew
php enum: miss, ClassGone of enum (16): Class 'Lost' not found
    Done anew
igbinary changed: miss, ClassChanged of changed (16): TypeError: Cannot assign string to property Changed::$views of type int
    Done anew
igbinary gone: miss, ClassGone of gone (16): class Gone
    Done anew
igbinary wakes: miss, ClassChanged of wakes (16): DomainException: not now
    Done anew
igbinary case: miss, ClassGone of case (16): igbinary_unserialize_object_enum_case: Undefined constant Suit::Hearts
    Done anew
igbinary enum: miss, ClassGone of enum (16): igbinary_unserialize_object_enum_case: Class 'Lost' does not exist
    Done anew
msgpack gone: miss, ClassGone of gone (16): class Gone
    Done anew
msgpack wakes: miss, ClassChanged of wakes (16): DomainException: not now
    Done anew
left
