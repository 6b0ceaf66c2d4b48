--TEST--
memcached: keys that are no usual ones, in each call and each protocol
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

same(<<<'PHP'
    $shown = static fn(mixed $value): string => json_encode($value, JSON_INVALID_UTF8_SUBSTITUTE);
    final class Word {
        public function __construct(private string $word) {}
        public function __toString(): string { return $this->word; }
    }
    $try = static function (string $name, callable $do) use ($shown): void {
        try {
            echo $name, ' ', $shown($do()), "\n";
        } catch (Throwable $thrown) {
            echo $name, ' ', get_class($thrown), ': ', $thrown->getMessage(), "\n";
        }
    };
    set_error_handler(static function (int $level, string $text): bool {
        echo "$text; ";
        return true;
    });
    foreach ([false, true] as $binary) {
        $memcached->setOption(Memcached::OPT_BINARY_PROTOCOL, $binary);
        /* Of words that an ASCII server would take apart, only single calls are alike. */
        $keys = ['', '0', '-1', '007', "a\nb", str_repeat('k', 250), str_repeat('k', 251), 'x/y?z=%20', 'END', '{}'];
        foreach ($keys as $key) {
            foreach ([
                'checkKey' => static fn() => $memcached->checkKey($key),
                'set' => static fn() => $memcached->set($key, "of $key"),
                'get' => static fn() => $memcached->get($key),
                'add' => static fn() => $memcached->add($key, 2),
                'touch' => static fn() => $memcached->touch($key, 100),
                'increment' => static fn() => $memcached->increment($key),
                'getByKey' => static fn() => $memcached->getByKey($key, $key),
                'getServerByKey' => static fn() => is_array($memcached->getServerByKey($key)),
                'delete' => static fn() => $memcached->delete($key),
            ] as $name => $do) {
                $try("$name " . strlen($key), $do);
                echo $memcached->getResultCode(), ' ';
            }
            echo "\n";
        }
        $other = 'by_reference';
        foreach ([
            'integers' => static fn() => [$memcached->setMulti([7 => 'seven', -3 => 'minus', '08' => 'text']),
                $memcached->getMulti([7, -3, '08', '7'])],
            'floats' => static fn() => [$memcached->setMulti(['1.5' => 1]), $memcached->getMulti([1.5])],
            'true, null' => static fn() => $memcached->getMulti([true, null, 'a']),
            'objects' => static fn() => [
                $memcached->set(new Word('word'), 1),
                $memcached->getMulti([new Word('word')]),
            ],
            'an array' => static fn() => $memcached->getMulti([['word'], 'word']),
            'twice' => static fn() => [$memcached->set('a', 1), $memcached->getMulti(['a', 'a', 'b'])],
            'twice in order' => static fn() => $memcached->getMulti(['b', 'a', 'b'], Memcached::GET_PRESERVE_ORDER),
            'references' => static function () use ($memcached, &$other): array {
                $keys = [&$other];
                $memcached->setMulti(['by_reference' => 1]);
                return [
                    $memcached->getMulti($keys),
                    $memcached->deleteMulti(['a', 'a', 7]),
                    $memcached->deleteMulti($keys),
                ];
            },
            'deleteMulti' => static fn() => $memcached->deleteMulti([7, '08', 'none', new Word('word')]),
            'none' => static fn() => [$memcached->getMulti([]), $memcached->setMulti([]), $memcached->deleteMulti([])],
            'a null' => static fn() => $memcached->get(null),
            'an int' => static fn() => [$memcached->set(42, 1), $memcached->get(42), $memcached->get('42')],
        ] as $name => $do) {
            $try($name, $do);
            echo $memcached->getResultCode(), "\n";
        }
    }
    PHP, ['memcached.serializer' => 'php']);
?>
--EXPECTF--
%Athe same, and %d items
