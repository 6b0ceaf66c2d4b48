--TEST--
memcached: callbacks that exit, and that change the object they are called for
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

/* What runs behind an exit finds a client that is in step. */
$begin = <<<'PHP'
    $memcached->setMulti(['a' => 1, 'b' => 2, 'c' => 3]);
    final class Last {
        public function __construct(private Memcached $memcached) {}
        public function __destruct() { echo 'b is ', json_encode($this->memcached->get('b')), "\n"; }
    }
    $last = new Last($memcached);
    register_shutdown_function(static function () use ($memcached): void {
        echo 'c is ', json_encode($memcached->get('c')), ', ', $memcached->getResultMessage(), "\n";
    });
    PHP;
foreach ([
    'of get' => <<<'PHP'
        $memcached->get('none', static function ($memcached, $key, &$value): bool {
            $value = 'not to be stored';
            exit("exits in the callback of $key\n");
        });
        PHP,
    'of a persistent object' => <<<'PHP'
        new Memcached('id', static function ($made): void { exit("exits while it is made\n"); });
        PHP,
    'of getDelayed' => <<<'PHP'
        $memcached->getDelayed(['a'], false, static function ($memcached, array $found): void {
            exit("exits with $found[key]\n");
        });
        PHP,
] as $name => $code) {
    echo "$name: ";
    same("$begin\n$code\necho 'not reached';");
    echo "\n";
}

/* php-memcached loses what is still to come, or ends the process. */
$server = MemcachedServer::unix();
$path = '$path = ' . var_export(substr($server->address, 5), true) . ';';
echo run_with(ours(), $path . '$memcached = new Memcached(); $memcached->addServer($path, 0);' . $begin . <<<'PHP'
    foreach ([
        'resetServerList' => static fn() => $memcached->resetServerList(),
        'quit' => static fn() => $memcached->quit(),
        'a prefix' => static fn() => $memcached->setOption(Memcached::OPT_PREFIX_KEY, 'p:'),
        'no prefix' => static fn() => $memcached->setOption(Memcached::OPT_PREFIX_KEY, ''),
        'a serializer' => static fn() => $memcached->setOption(Memcached::OPT_SERIALIZER, Memcached::SERIALIZER_JSON),
        'another one' => static fn() => $memcached->getDelayed(['c']),
        'fetch' => static fn() => $memcached->fetch(),
        'flush' => static fn() => $memcached->flush(),
    ] as $name => $do) {
        $memcached->resetServerList();
        $memcached->addServer($path, 0);
        $memcached->setMulti(['a' => 1, 'b' => 2, 'c' => 3]);
        $seen = [];
        $memcached->getDelayed(['a', 'b', 'c'], false, static function ($m, array $found) use ($do, &$seen): void {
            $seen[] = $found['key'];
            $do();
        });
        echo $name, ': ', implode(' ', $seen), ', then ', json_encode($memcached->fetchAll()), "\n";
        $made = $memcached->get('none', static function ($memcached, $key, &$value) use ($do): bool {
            $do();
            $value = "made";
            return true;
        });
        echo '  ', json_encode($made), ' ', $memcached->getResultMessage(), "\n";
        $memcached->delete('none');
    }
    PHP);
?>
--EXPECT--
of get: exits in the callback of none
c is 3, SUCCESS
b is 2
the same, and 3 items

of a persistent object: exits while it is made
c is 3, SUCCESS
b is 2
the same, and 3 items

of getDelayed: exits with a
c is 3, SUCCESS
b is 2
the same, and 3 items

resetServerList: a b c, then false
  false NO SERVERS DEFINED
quit: a b c, then false
  "made" SUCCESS
a prefix: a b c, then false
  "made" SUCCESS
no prefix: a b c, then false
  "made" SUCCESS
a serializer: a b c, then false
  "made" SUCCESS
another one: a b c, then [{"key":"c","value":3}]
  "made" SUCCESS
fetch: a b c, then false
  "made" SUCCESS
flush: a b c, then false
  "made" SUCCESS
c is false, NOT FOUND
b is false
