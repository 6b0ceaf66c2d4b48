--TEST--
memcached: subclasses, callbacks that use the object or throw, clones, persistent ids
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

same(<<<'PHP'
    $try = static function (callable $do): void {
        try {
            var_dump($do());
        } catch (Throwable $thrown) {
            echo get_class($thrown), ': ', $thrown->getMessage(), "\n";
        }
    };
    final class Late extends Memcached {
        public $own = 1;
        public function __construct(private bool $calls = false) { $calls && parent::__construct(); }
    }
    $try(static fn() => (new Late())->get('a'));
    $try(static fn() => (new Late(true))->getServerList());
    $try(static fn() => clone $memcached);
    $try(static fn() => new Memcached('', null, '--SERVER=a.example:11213 --SERVER=b.example'));
    var_dump($memcached, new Late(true));
    $try(static fn() => (new Memcached('', null, '--SERVER=a.example:11213 --SERVER=b.example'))->getServerList());

    $memcached->setMulti(['a' => 1, 'b' => 2, 'c' => 3]);
    $try(static fn() => $memcached->get('made', static function ($memcached, $key, &$value, &$expiration): bool {
        $value = [$key, $memcached->get('a')];
        $expiration = 100;
        return true;
    }));
    $try(static fn() => $memcached->get('made'));
    $try(static fn() => $memcached->get('not', static fn() => false));
    $try(static fn() => $memcached->get('thrown', static fn() => throw new LogicException('no')));
    $try(static fn() => $memcached->get('thrown'));
    $try(static fn() => $memcached->getDelayed(['a', 'b', 'c'], false, static function ($memcached, $found): void {
        echo json_encode($found), "\n";
    }));
    $try(static fn() => $memcached->getDelayed(['a', 'b'], true, static fn() => throw new LogicException('enough')));
    $try(static fn() => $memcached->get('b'));

    $one = new Memcached('shared', static function ($memcached, $id) use ($path): void {
        echo "new $id\n";
        $memcached->addServer($path, 0);
    });
    $two = new Memcached('shared', static fn() => print("never\n"));
    var_dump($one->isPristine(), $two->isPristine(), $two->isPersistent(), $memcached->isPersistent());
    var_dump(count($two->getServerList()), $two->get('a'));
    $one->setOption(Memcached::OPT_PREFIX_KEY, 'p:');
    var_dump($two->getOption(Memcached::OPT_PREFIX_KEY), $two->get('a'));
    $try(static fn() => new Memcached('broken', static fn() => throw new LogicException('not this one')));
    $try(static fn() => (new Memcached('broken'))->isPristine());
    PHP, ['memcached.serializer' => 'php']);

/*
 * With php-memcached a call on the same object loses the values that are still to come, and what throws while it is
 * serialized ends the process.
 */
$server = MemcachedServer::unix();
echo run_with(ours(), '$path = ' . var_export(substr($server->address, 5), true) . ';' . <<<'PHP'
    $memcached = new Memcached();
    $memcached->addServer($path, 0);
    $memcached->setMulti(['a' => 1, 'b' => 2, 'c' => 3]);
    $memcached->getDelayed(['a', 'b', 'c'], false, static function ($memcached, $found): void {
        echo $found['key'], $memcached->get('a'), $memcached->get('none') === false ? ' ' : 'wrong';
    });
    $memcached->getDelayed(['a', 'b']);
    $memcached->set('c', 4);
    $memcached->setOption(Memcached::OPT_PREFIX_KEY, 'p:');
    $memcached->resetServerList();
    echo $memcached->fetch()['key'], ' ', $memcached->fetch()['key'], ' ', json_encode($memcached->fetch()), "\n";
    $memcached->addServer($path, 0);
    final class Bad {
        public function __serialize(): array { throw new LogicException('not to be stored'); }
    }
    foreach ([new Bad(), static fn() => 1] as $value) {
        try {
            $memcached->set('bad', $value);
        } catch (Exception $thrown) {
            echo $thrown->getMessage(), ': ', $memcached->getResultMessage(), "\n";
        }
    }
    $memcached->get('a', static function ($memcached): bool {
        $memcached->__construct();
        return true;
    });
    echo $memcached->getResultMessage(), ' ', count($memcached->getServerList()), "\n";
    PHP, [], ['memcached.serializer' => 'php']);
?>
--EXPECTF--
%Athe same, and %d items
a1 b1 c1 a b false
not to be stored: PAYLOAD FAILURE
Serialization of 'Closure' is not allowed: PAYLOAD FAILURE
NO SERVERS DEFINED 0
