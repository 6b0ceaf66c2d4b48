<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

$replies = [
    'right' => "VA 5 f0 c1 O*\r\nvalue\r\n",
    'in single bytes' => "VA 5 f0 c1 O*\r\nvalue\r\n",
    'half a line' => 'VA 5 f0 c',
    'half a value' => "VA 5 f0 c1 O*\r\nval",
    'without the last byte' => "VA 5 f0 c1 O*\r\nvalue\r",
    'twice' => "VA 5 f0 c1 O*\r\nvalue\r\nVA 5 f0 c1 O*\r\nvalue\r\n",
    'with more behind it' => "VA 5 f0 c1 O*\r\nvalue\r\nVA 5 f0 c1 O00000000\r\nother\r\n",
    'garbage' => random_bytes(100) . "\0",
    'text' => "HTTP/1.1 400 Bad Request\r\n\r\n",
    'the binary protocol' => "\x81\0\0\0\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0\0\0\0\0\0value",
    'nothing but zeroes' => str_repeat("\0", 5000),
    'a line without an end' => 'VA 5 f0 c1 O' . str_repeat('0', 70000),
    'a length too short' => "VA 3 f0 c1 O*\r\nvalue\r\n",
    'a length too long' => "VA 9 f0 c1 O*\r\nvalue\r\n",
    'a length cut off' => "VA \r\nvalue\r\n",
    'a length below zero' => "VA -1 f0 c1 O*\r\nvalue\r\n",
    '2^30 + 1' => "VA 1073741825 f0 c1 O*\r\nvalue\r\n",
    '2^32 + 5' => "VA 4294967301 f0 c1 O*\r\nvalue\r\n",
    '2^63' => "VA 9223372036854775808 f0 c1 O*\r\nvalue\r\n",
    '2^64 + 5' => "VA 18446744073709551621 f0 c1 O*\r\nvalue\r\n",
    'no opaque' => "VA 5 f0 c1\r\nvalue\r\n",
    'the opaque before it' => "VA 5 f0 c1 O-1\r\nother\r\n",
    'an opaque of our form' => "VA 5 f0 c1 O12345678\r\nother\r\n",
    'an opaque cut off' => "VA 5 f0 c1 O1\r\nother\r\n",
    'another value first' => "VA 5 f0 c1 O-1\r\nother\r\nVA 5 f0 c1 O*\r\nvalue\r\n",
    'another key of a classic get' => "VALUE other 0 5\r\nother\r\nEND\r\n",
    'only LF' => "VA 5 f0 c1 O*\nvalue\n",
    'a flag of no meaning' => "VA 5 f0 c1 O* y\r\nvalue\r\n",
    'a flag missing' => "VA 5 f0 O*\r\nvalue\r\n",
    'flags not asked for' => "VA 5 f0 c1 t5 O*\r\nvalue\r\n",
    'no value' => "HD f0 c1 O*\r\n",
    'a flag too large' => "VA 5 f4294967296 c1 O*\r\nvalue\r\n",
];
$peer = new Peer(function (Wire $wire) use ($replies): void {
    while (($line = $wire->request()) !== null) {
        $reply = $replies[strtr(explode(' ', $line)[1], '_', ' ')] ?? null;
        if (str_contains($line, ' in_single_bytes ')) {
            foreach (str_split(str_replace('O*', 'O' . $wire->opaques[count($wire->opaques) - 1], (string) $reply)) as $byte) {
                $wire->say($byte);
                usleep(200);
            }
            continue;
        }
        $wire->say($reply ?? Wire::answer(['own' => '0wn', 'also' => 'mine'], $line));
    }
});
foreach (array_keys($replies) as $name) {
    /* As the only call, and as one of many. */
    foreach ([false, true] as $is_many) {
        $cache = new Larder\Memcached($peer->address, timeout: 150, retry: 1);
        $key = strtr($name, ' ', '_');
        $begin = microtime(true);
        if ($is_many) {
            $all = $cache->pipeline()->read('own')->read($key)->read('also')->run();
            [$first, $answer, $last] = $all;
            if (($first->hit && $first->value !== '0wn') || ($last->hit && $last->value !== 'mine') || (!$first->hit && $first->answered)) {
                var_dump($all);
            }
        } else {
            $answer = $cache->read($key);
        }
        $took = microtime(true) - $begin;
        echo $is_many ? ' and among others ' : "$name: ", $answer->hit ? $answer->value : ($answer->answered ? 'miss' : 'not answered'),
            array_reduce($cache->failures(), fn($text, $failure) => "$text {$failure->kind->name}", ''), $took > 0.5 ? ' after its deadline' : '', $is_many ? "\n" : ',';
        usleep(3000);
        if ($cache->get('own') !== '0wn') {
            echo '  the next call: ', json_encode($cache->failures()), "\n";
        }
    }
}
?>
