--TEST--
memcached: results and result codes of every call, in both protocols, and of servers that are not there
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

same(<<<'PHP'
    $say = static function (string $what, mixed $result) use (&$memcached): void {
        echo "$what ", json_encode($result), ' ', $memcached->getResultCode(), ' ';
        echo $memcached->getResultMessage(), "\n";
    };
    $long = str_repeat('k', 251);
    foreach ([false, true] as $binary) {
        $memcached->setOption(Memcached::OPT_BINARY_PROTOCOL, $binary);
        $memcached->flush();
        $say('get', $memcached->get('none'));
        $say('set', $memcached->set('a', 5));
        $say('add', $memcached->add('a', 5));
        $say('replace', $memcached->replace('none', 5));
        $say('cas of none', $memcached->cas(77, 'none', 5));
        $say('cas of another', $memcached->cas(7777777, 'a', 5));
        $say('touch', $memcached->touch('none', 5));
        $say('delete', $memcached->delete('none'));
        $say('delete later', $memcached->delete('a', 10));
        $say('increment', $memcached->increment('none'));
        $say('increment 3', $memcached->increment('a', 3));
        $say('decrement below 0', $memcached->decrement('a', 30));
        $say('increment of text', $memcached->set('text', 'word') && $memcached->increment('text'));
        $say('initial', @$memcached->increment('made', 3, 40, 100));
        $say('initial again', @$memcached->increment('made', 3, 40, 100));
        $say('by less than 0', @$memcached->increment('a', -1));
        $say('append with compression', @$memcached->append('text', 'x'));
        $memcached->setOption(Memcached::OPT_COMPRESSION, false);
        $say('append', $memcached->append('text', 'x'));
        $say('append to none', $memcached->append('none', 'x'));
        $say('prepend to none', $memcached->prepend('none', 'x'));
        $say('empty key', $memcached->set('', 1));
        $say('long key', $memcached->get($long));
        $say('key with a line', $memcached->get("a\nb"));
        $say('too large', $memcached->set('large', str_repeat('x', 2_000_000)));
        $memcached->setOption(Memcached::OPT_COMPRESSION, true);
        $say('getMulti', $memcached->getMulti(['a', 'none', 'text']));
        $say('getMulti in order', $memcached->getMulti(['none', 'a'], Memcached::GET_PRESERVE_ORDER));
        $say('getMulti of nothing', $memcached->getMulti([]));
        $say('getMulti of none', $memcached->getMulti(['none']));
        $say('getMulti of bad keys', $memcached->getMulti(['', $long]));
        $say('setMulti', $memcached->setMulti(['a' => 1, 7 => 2]));
        $say('setMulti of nothing', $memcached->setMulti([]));
        $say('setMulti of a bad key', $memcached->setMulti([$long => 2]));
        $say('deleteMulti', $memcached->deleteMulti(['a', 7, 'none', '']));
        $say('getDelayed', $memcached->getDelayed(['made', 'none', 'text']));
        $say('fetch', array_diff_key((array) $memcached->fetch(), ['cas' => 1]));
        $say('fetchAll', count($memcached->fetchAll()));
        $say('fetch', $memcached->fetch());
        $say('fetchAll', $memcached->fetchAll());
        $say('version', count($memcached->getVersion()));
        $say('stats', is_int(current($memcached->getStats())['cmd_get']));
        $memcached->setOption(Memcached::OPT_PREFIX_KEY, 'p:');
        $say('get behind a prefix', $memcached->get('text'));
        $say('too long behind a prefix', $memcached->get(substr($long, 2)));
        $say('long prefix', @$memcached->setOption(Memcached::OPT_PREFIX_KEY, str_repeat('p', 129)));
        $memcached->setOption(Memcached::OPT_PREFIX_KEY, '');
        $memcached->setOption(Memcached::OPT_NOREPLY, true);
        $say('set without a reply', $memcached->set('a', 1));
        $say('add without a reply', $memcached->add('a', 1));
        $memcached->setOption(Memcached::OPT_NOREPLY, false);
    }
    foreach ([['127.0.0.1', 1], ['/nowhere/at/all', 0], ['nowhere.invalid', 11211]] as $server) {
        foreach (['get' => ['a'], 'set' => ['a', 1], 'getDelayed' => [['a']], 'delete' => ['a'], 'touch' => ['a', 1],
            'increment' => ['a'], 'deleteMulti' => [['a']], 'getVersion' => [], 'getStats' => [], 'flush' => []] as
            $method => $arguments) {
            $memcached = new Memcached();
            $memcached->addServer(...$server);
            $say($method, $memcached->{$method}(...$arguments));
            echo $memcached->getLastErrorErrno() >= 0, json_encode($memcached->getLastDisconnectedServer()), "\n";
            $say("$method again", $memcached->{$method}(...$arguments));
        }
    }
    $memcached = new Memcached();
    foreach (['get' => ['a'], 'set' => ['a', 1], 'getMulti' => [['a']], 'deleteMulti' => [['a']], 'getVersion' => [],
        'getStats' => [], 'flush' => [], 'getServerByKey' => ['a'], 'getServerList' => []] as $method => $arguments) {
        $say("$method without a server", $memcached->{$method}(...$arguments));
    }
    PHP);
?>
--EXPECTF--
%Athe same, and %d items
