--TEST--
The time that user code takes counts against no deadline: not the outer call's, nor that of a call within it
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

final class Slow
{
    public static ?Larder\Memcached $cache = null;

    public function __construct(public int $number) {}

    public function __serialize(): array
    {
        usleep(120000);
        self::within();
        return [$this->number];
    }

    public function __unserialize(array $values): void
    {
        usleep(120000);
        self::within();
        $this->number = $values[0];
    }

    private static function within(): void
    {
        echo self::$cache->get('plain'), self::$cache->failures() === [] ? ' ' : ' failed ';
    }
}

$first = MemcachedServer::unix();
$other = MemcachedServer::tcp();
$cache = Slow::$cache = new Larder\Memcached([$first->address, $other->address], timeout: 100, objects: true);
$cache->set('plain', 'p');
$values = [];
foreach (range(1, 4) as $number) {
    $values["slow$number"] = new Slow($number);
    $values["quick$number"] = $number;
}
var_dump(array_unique(array_column($cache->setMultiple($values), 'name')), count($cache->failures()));
var_dump($cache->getMultiple(array_keys($values)) == $values, count($cache->failures()));
var_dump($cache->get('slow1') == new Slow(1), $cache->get('quick2'), count($cache->failures()));
$results = $cache->pipeline()->set('slow5', new Slow(5))->read('slow5')->read('quick1')->run();
var_dump(
    $results[0],
    $results[1]->value == new Slow(5),
    $results[2]->value,
    count($cache->failures()),
    $cache->info()[$first->address]['timeouts'],
);
?>
--EXPECT--
p p p p array(1) {
  [0]=>
  string(4) "Done"
}
int(0)
p p p p bool(true)
int(0)
p bool(true)
int(2)
int(0)
p p enum(Larder\Outcome::Done)
bool(true)
int(1)
int(0)
int(0)
