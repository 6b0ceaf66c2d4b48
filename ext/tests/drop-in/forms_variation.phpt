--TEST--
memcached: objects as text, copies, and objects whose constructor was never called
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
    class Named extends Memcached {
        public $own = [1];
        protected ?self $next = null;
        private string $secret = 'secret';
    }
    final class Unmade extends Memcached {
        public function __construct() {}
    }
    final class Late extends Memcached {
        public function __construct(private array $server = []) {}
        public function open(string $path): void {
            parent::__construct();
            $this->addServer($path, 0);
        }
    }
    foreach ([$memcached, new Named()] as $object) {
        $try(static fn() => clone $object);
        $try(static fn() => serialize($object));
        $try(static fn() => var_export($object, true));
        $try(static fn() => json_encode($object));
        $try(static fn() => (array) $object);
        $try(static fn() => $object == new Memcached());
        $try(static fn() => $object->dynamic ?? 'not set');
        var_dump($object);
    }
    foreach (['O:9:"Memcached":0:{}', 'O:9:"Memcached":1:{s:1:"a";i:1;}', 'C:9:"Memcached":0:{}'] as $text) {
        $try(static fn() => get_class(unserialize($text)));
        $try(static fn() => unserialize($text)->get('a'));
    }
    $try(static fn() => (new ReflectionClass('Memcached'))->newInstanceWithoutConstructor()->getServerList());

    $late = new Late();
    $try(static fn() => $late->set('late', 1));
    $late->open($path);
    $try(static fn() => $late->set('late', 1));
    $try(static fn() => $late->get('late'));
    $never = new Unmade();
    $given = ['string' => 'a', 'array' => ['a'], 'int' => 1, 'callable' => null, 'float' => 1.0];
    foreach ((new ReflectionClass('Memcached'))->getMethods() as $method) {
        if ($method->isConstructor()) {
            continue;
        }
        $arguments = [];
        foreach ($method->getParameters() as $parameter) {
            $type = (string) $parameter->getType();
            $parameter->isOptional() || $arguments[] = $given[ltrim($type, '?')] ?? 1;
        }
        echo $method->name, ' ';
        $try(static fn() => $never->{$method->name}(...$arguments));
    }
    unset($never, $late);
    $try(static fn() => $memcached->get('late'));
    PHP, ['memcached.serializer' => 'php']);
?>
--EXPECTF--
%Athe same, and 1 items
