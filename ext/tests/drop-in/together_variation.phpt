--TEST--
memcached: beside larder.so, php-memcache and APCu in one process, in php -m, phpinfo(), and preloaded
--EXTENSIONS--
larder
--SKIPIF--
<?php
require __DIR__ . '/skip.inc';
foreach (['apcu', 'memcache', 'opcache'] as $name) {
    if (!is_file(PHP_EXTENSION_DIR . "/$name.so")) {
        echo "skip needs $name";
    }
}
?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

$server = MemcachedServer::unix();
$path = '$path = ' . var_export(substr($server->address, 5), true) . ';';
$others = [dirname(ours()) . '/larder.so', 'memcache', 'apcu'];
echo run_with(ours(), $path . <<<'PHP'
    ob_start();
    error_reporting(E_ALL & ~E_DEPRECATED);
    $ours = new Memcached();
    $ours->addServer($path, 0);
    $theirs = new Memcache();
    $theirs->addServer("unix://$path", 0);
    $larder = new Larder\Memcached("unix:$path", timeout: 5000);
    $ours->set('one', 'of memcached');
    $theirs->set('two', 'of memcache');
    $larder->set('three', 'of larder');
    apcu_store('four', 'of APCu');
    foreach ([$ours, $theirs, $larder] as $client) {
        echo get_class($client), ' ', $client->get('one'), ' ', $client->get('two'), ' ', $client->get('three'), "\n";
    }
    $ours->getDelayed(['one', 'three']);
    $begun = $larder->pipeline()->read('one')->begin();
    echo apcu_fetch('four'), ' ', $theirs->get('one'), ' ', $begun->finish()[0]->value, ' ',
        implode(' ', array_column($ours->fetchAll(), 'key')), "\n";
    echo implode(' ', array_filter(get_loaded_extensions(), static fn(string $name): bool => in_array($name,
        ['memcached', 'memcache', 'larder', 'apcu'], true))), "\n";
    foreach (['memcached', 'memcache'] as $handler) {
        ini_set('session.save_handler', $handler);
        echo ini_get('session.save_handler'), ' ';
    }
    PHP, $others, ['apc.enable_cli' => '1', 'memcached.serializer' => 'php']), "\n";

$load = static fn(string ...$modules): string => implode(' ', array_map(static fn(string $module): string
    => '-d extension=' . escapeshellarg($module), $modules));
$php = escapeshellarg(PHP_BINARY) . ' -n ';
echo shell_exec("$php {$load(...$others, ...[ours()])} -m | grep -c -x -e memcached -e memcache -e larder -e apcu");
echo shell_exec("$php {$load(ours())} --ri memcached | grep -e Version -e support -e sess_locking");
echo (int) shell_exec("$php {$load(ours())} -i | grep -c '^memcached\\.'"), " settings\n";
echo shell_exec("$php {$load(ours())} -r 'ob_start(); phpinfo(INFO_MODULES);
    echo substr_count(ob_get_clean(), \"memcached support\");'"), "\n";

/* Classes that are linked before any request. */
$directory = sys_get_temp_dir() . '/larder-' . bin2hex(random_bytes(6));
mkdir($directory);
file_put_contents("$directory/preload.php", <<<'PHP'
    <?php
    class Preloaded extends Memcached {
        public const SERIALIZER = Memcached::SERIALIZER_PHP;
        public function __construct(private int $option = Memcached::OPT_PREFIX_KEY, string $prefix = 'pre:') {
            parent::__construct('preloaded');
            $this->setOption($option, $prefix);
        }
        public function get(string $key, ?callable $cache_cb = null, int $get_flags = 0): mixed {
            return [parent::get($key, $cache_cb, $get_flags)];
        }
    }
    PHP);
echo run_with(ours(), $path . <<<'PHP'
    $memcached = new Preloaded();
    $memcached->addServer($path, 0);
    $memcached->set('a', 1);
    echo json_encode([$memcached->get('a'), $memcached->getOption(Memcached::OPT_PREFIX_KEY), Preloaded::SERIALIZER,
        isset(opcache_get_status()['preload_statistics']['classes'])]), "\n";
    PHP, [], (PHP_VERSION_ID < 80500 ? ['zend_extension' => 'opcache'] : []) + ['opcache.enable_cli' => '1',
        'opcache.preload' => "$directory/preload.php", 'opcache.preload_user' => 'root', 'opcache.jit' => 'disable']);
unlink("$directory/preload.php");
rmdir($directory);
?>
--EXPECT--
Memcached of memcached of memcache of larder
Memcache of memcached of memcache of larder
Larder\Memcached of memcached of memcache of larder
of APCu of memcached of memcached one three
apcu larder memcache memcached
memcached memcache 
4
memcached support => enabled
Version => 3.3.0-larder
SASL support => no
TLS support => yes
Session support => yes
igbinary support => no
json support => yes
msgpack support => no
zstd support => yes
memcached.sess_locking => On => On
36 settings
1
[[1],"pre:",1,true]
