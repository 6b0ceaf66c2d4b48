--TEST--
servers with -Y: a wrong password has its own kind of failure, and is not tried all the time
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/servers_auth.inc';
$server = auth_server();
$right = new Larder\Memcached($server->address, timeout: 5000, user: 'site', password: 'pass:word');
$right->set('key', 'value');

function total(Larder\Memcached $right): int
{
    return (int) array_values($right->stats())[0]['total_connections'];
}

function refuses(string $what, string $address, Larder\Memcached $right, mixed ...$options): void
{
    $cache = new Larder\Memcached($address, ...$options, timeout: 5000, retry: 60000);
    $before = total($right);
    $outcome = $cache->set('key', 'changed');
    $kinds = kinds($cache);
    for ($turn = 0; $turn < 100; $turn++) {
        $cache->get('key');
        $cache->setMultiple(['key' => 1, 'other' => 2]);
    }
    echo "$what: {$outcome->name}, $kinds, then ", kinds($cache), '; connections: ', total($right) - $before,
        '; still ', $right->get('key'), "\n";
}

refuses('wrong password', $server->address, $right, user: 'site', password: 'guessed');
refuses('wrong user', $server->address, $right, user: 'nobody', password: 'pass:word');
refuses('half a password', $server->address, $right, user: 'site', password: 'pass');
refuses('none', $server->address, $right);
var_dump((int) $right->stats()[$server->address]['auth_errors']);
?>
--EXPECT--
wrong password: Refused, Denied, then Down; connections: 1; still value
wrong user: Refused, Denied, then Down; connections: 1; still value
half a password: Refused, Denied, then Down; connections: 1; still value
none: Refused, Denied, then Down; connections: 1; still value
int(3)
