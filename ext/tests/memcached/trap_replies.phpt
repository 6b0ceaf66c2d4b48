--TEST--
Replies that are slow, half, double, garbage or of an impossible length: no wrong value, and the next call gets its own
--EXTENSIONS--
larder
posix
--FILE--
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
    'no line end behind it' => "VA 5 f0 c1 O*\r\nvalue\n\n",
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
    'a classic reply' => "VALUE a_classic_reply 0 5\r\nvalue\r\nEND\r\n",
    'only LF' => "VA 5 f0 c1 O*\nvalue\n",
    'a flag of no meaning' => "VA 5 f0 c1 O* y\r\nvalue\r\n",
    'a flag missing' => "VA 5 f0 O*\r\nvalue\r\n",
    'flags not asked for' => "VA 5 f0 c1 t5 O*\r\nvalue\r\n",
    'no value' => "HD f0 c1 O*\r\n",
    'a flag too large' => "VA 5 f4294967296 c1 O*\r\nvalue\r\n",
];
/* As the only call these wait for bytes that never come. No other reply may depend on how fast the machine is. */
$awaiting = ['half a line', 'half a value', 'without the last byte', 'a length too long'];
/* To "get k1 k2 k3", whatever is asked beside that. */
$classic = [
    'all' => "VALUE k1 0 1\r\n1\r\nVALUE k2 0 1\r\n2\r\nVALUE k3 0 1\r\n3\r\nEND\r\n",
    'some' => "VALUE k2 0 1\r\n2\r\nEND\r\n",
    'none' => "END\r\n",
    'a key not asked for' => "VALUE k4 0 1\r\n4\r\nEND\r\n",
    'one not asked for among others' => "VALUE k1 0 1\r\n1\r\nVALUE k4 0 1\r\n4\r\nEND\r\n",
    'another order' => "VALUE k2 0 1\r\n2\r\nVALUE k1 0 1\r\n1\r\nEND\r\n",
    'one twice' => "VALUE k1 0 1\r\n1\r\nVALUE k1 0 1\r\n1\r\nEND\r\n",
    'the end twice' => "END\r\nEND\r\n",
    'all, and one more' => "VALUE k1 0 1\r\n1\r\nVALUE k2 0 1\r\n2\r\nVALUE k3 0 1\r\n3\r\nVALUE k3 0 "
        . "1\r\n3\r\nEND\r\n",
    'a length too short' => "VALUE k1 0 1\r\n12\r\nEND\r\n",
    'no flags' => "VALUE k1 1\r\n1\r\nEND\r\n",
    'the replies to others' => "VA 1 f0 O00000000\r\n1\r\n",
];
$play = function (Wire $wire) use ($replies, $classic): void {
    while (($line = $wire->request()) !== null) {
        if (preg_match('/^get .*\bc(\d+)_k1/', $line, $match) === 1) {
            $wire->say(str_replace('k', "c$match[1]_k", array_values($classic)[(int) $match[1]]));
            continue;
        }
        $reply = $replies[strtr(explode(' ', $line)[1], '_', ' ')] ?? null;
        if (str_contains($line, ' in_single_bytes ')) {
            foreach (str_split(
                str_replace('O*', 'O' . $wire->opaques[count($wire->opaques) - 1], (string) $reply),
            ) as $byte) {
                $wire->say($byte);
                usleep(200);
            }
            continue;
        }
        $wire->say($reply ?? Wire::answer(['own' => '0wn', 'also' => 'mine'], $line));
    }
};
/* Two, since each serves one connection at a time, and objects of another timeout have a connection of their own. */
[$peer, $impatient] = [new Peer($play), new Peer($play)];
foreach (array_keys($replies) as $name) {
    /* As the only call, and as one of many. */
    foreach ([false, true] as $is_many) {
        $waits = !$is_many && in_array($name, $awaiting, true);
        $cache = $waits
            ? new Larder\Memcached($impatient->address, timeout: 150, retry: 1)
            : new Larder\Memcached($peer->address, timeout: 20000, retry: 1);
        $key = strtr($name, ' ', '_');
        if ($is_many) {
            $all = $cache->pipeline()->read('own')->read($key)->read('also')->run();
            [$first, $answer, $last] = $all;
            if (
                ($first->hit && $first->value !== '0wn')
                || ($last->hit && $last->value !== 'mine')
                || (!$first->hit && $first->answered)
            ) {
                var_dump($all);
            }
        } else {
            $answer = $cache->read($key);
        }
        echo $is_many
            ? ' and among others '
            : "$name: ", $answer->hit ? $answer->value : ($answer->answered ? 'miss' : 'not answered'),
            array_reduce($cache->failures(), fn($text, $failure) => "$text {$failure->kind->name}", ''),
            $is_many ? "\n" : ',';
        usleep(3000);
        $next = $cache->read('own');
        for ($calls = 1; $waits && !$next->answered && $calls < 100; $calls++) {
            usleep(3000);
            $next = $cache->read('own');
        }
        if (!$next->hit || $next->value !== '0wn') {
            echo '  the next call: ', json_encode($cache->failures()), "\n";
        }
    }
}
foreach (array_keys($classic) as $number => $name) {
    $found = $cache->getMultiple(['own', "c{$number}_k1", "c{$number}_k2", "c{$number}_k3"]);
    unset($found['own']);
    echo "getMultiple, $name: ", implode(' ', $found), array_reduce(
        $cache->failures(),
        fn($text, $failure) => "$text {$failure->kind->name}",
        '',
    ), "\n";
    usleep(3000);
    if ($cache->get('own') !== '0wn') {
        echo '  the next call: ', json_encode($cache->failures()), "\n";
    }
}
?>
--EXPECT--
right: value, and among others value
in single bytes: value, and among others value
half a line: not answered TimedOut, and among others not answered OutOfStep
half a value: not answered TimedOut, and among others not answered OutOfStep
without the last byte: not answered TimedOut, and among others not answered OutOfStep
twice: not answered OutOfStep, and among others not answered OutOfStep
with more behind it: not answered OutOfStep, and among others not answered OutOfStep
garbage: not answered OutOfStep, and among others not answered OutOfStep
text: not answered OutOfStep, and among others not answered OutOfStep
the binary protocol: not answered OutOfStep, and among others not answered OutOfStep
nothing but zeroes: not answered OutOfStep, and among others not answered OutOfStep
a line without an end: not answered OutOfStep, and among others not answered OutOfStep
a length too short: not answered OutOfStep, and among others not answered OutOfStep
no line end behind it: not answered OutOfStep, and among others not answered OutOfStep
a length too long: not answered TimedOut, and among others not answered OutOfStep
a length cut off: not answered OutOfStep, and among others not answered OutOfStep
a length below zero: not answered OutOfStep, and among others not answered OutOfStep
2^30 + 1: not answered OutOfStep, and among others not answered OutOfStep
2^32 + 5: not answered OutOfStep, and among others not answered OutOfStep
2^63: not answered OutOfStep, and among others not answered OutOfStep
2^64 + 5: not answered OutOfStep, and among others not answered OutOfStep
no opaque: not answered OutOfStep, and among others not answered OutOfStep
the opaque before it: not answered OutOfStep, and among others not answered OutOfStep
an opaque of our form: not answered OutOfStep, and among others not answered OutOfStep
an opaque cut off: not answered OutOfStep, and among others not answered OutOfStep
another value first: not answered OutOfStep, and among others not answered OutOfStep
a classic reply: not answered OutOfStep, and among others not answered OutOfStep
only LF: not answered OutOfStep, and among others not answered OutOfStep
a flag of no meaning: not answered OutOfStep, and among others not answered OutOfStep
a flag missing: not answered OutOfStep, and among others not answered OutOfStep
flags not asked for: not answered OutOfStep, and among others not answered OutOfStep
no value: not answered OutOfStep, and among others not answered OutOfStep
a flag too large: not answered OutOfStep, and among others not answered OutOfStep
getMultiple, all: 1 2 3
getMultiple, some: 2
getMultiple, none: 
getMultiple, a key not asked for:  OutOfStep
getMultiple, one not asked for among others:  OutOfStep
getMultiple, another order:  OutOfStep
getMultiple, one twice:  OutOfStep
getMultiple, the end twice:  OutOfStep
getMultiple, all, and one more:  OutOfStep
getMultiple, a length too short:  OutOfStep
getMultiple, no flags:  OutOfStep
getMultiple, the replies to others:  OutOfStep
