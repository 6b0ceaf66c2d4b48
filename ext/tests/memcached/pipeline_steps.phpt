--TEST--
pipeline: begin() sends and comes back, finish() takes the answers; what is called in between loses none
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$servers = [MemcachedServer::unix(), MemcachedServer::unix()];
$connect = static fn(string $prefix = ''): Larder\Memcached
    => new Larder\Memcached(array_column($servers, 'address'), prefix: $prefix, timeout: 5000, objects: true);
$each = static fn(string $method) => array_map(static fn(MemcachedServer $server) => $server->$method(), $servers);
$show = static fn(array $results): string => json_encode(array_map(static fn(mixed $result) => match (true) {
    $result instanceof Larder\Outcome => $result->name,
    $result instanceof Larder\Answer => $result->answered ? $result->value : 'no answer',
    default => $result,
}, $results));
$error = static function (callable $do): string {
    try {
        $do();
        return 'nothing was thrown';
    } catch (Throwable $thrown) {
        return $thrown::class . ': ' . $thrown->getMessage();
    }
};
$cache = $connect();
$cache->setMultiple(['a' => 1, 'b' => 2, 'c' => [3], 'text' => 'x', 'digits' => '7']);

/* The servers cannot answer while it is sent. */
$each('pause');
$pipeline = $cache->pipeline()->read('a')->read('none')->set('d', 4)->increment('b')->append('digits', '8')->begin();
$pipeline->read('d')->read('digits');
$each('resume');
echo count($pipeline), ' ', $show($pipeline->finish()), ' ', $show($pipeline->run()), "\n";
echo $error(static fn() => $pipeline->finish()), "\n";
echo $error(static fn() => $pipeline->begin()->begin()), ' ', $show($pipeline->finish()), "\n";

/* Connections are not closed for any of these, and the answers are there. The keys may lie on one server: stats() goes
   to both. */
$cache->stats();
$connects = static fn(): int => array_sum(array_column($cache->info(), 'connects'));
$before = $connects();
foreach ([
    'get' => static fn() => $cache->get('c') === [3],
    'another object' => static fn() => $connect('p:')->get('a') === null,
    'stats' => static fn() => count($cache->stats()),
    'run' => static fn() => $pipeline->read('a')->run()[0]->value,
    'another one' => static fn() => $show($cache->pipeline()->read('c')->read('none')->begin()->finish()),
    'gone' => static function () use ($cache) { $cache->pipeline()->set('late', 'done')->begin(); },
] as $name => $between) {
    $pipeline->read('a')->read('late')->begin();
    echo $name, ' ', json_encode($between()), ' ', $show($pipeline->finish()), "\n";
}
echo $connects() - $before, ' more connections, ', $cache->get('late'), "\n";
$pipeline->read('a')->begin();
$cache->close();
echo $show($pipeline->finish()), ' ', $cache->get('a'), "\n";

/* What decoding runs may begin anew. */
final class Begins
{
    public function __unserialize(array $data): void
    {
        global $pipeline, $show;
        echo $show($pipeline->read('a')->begin()->finish()), ' ';
    }
    public function __serialize(): array
    {
        return [];
    }
}
$cache->set('begins', new Begins());
echo get_class($pipeline->read('begins')->begin()->finish()[0]->value), "\n";

/* A child takes nothing of its parent's. */
$pipeline->read('a')->begin();
$child = pcntl_fork();
if ($child === 0) {
    echo 'child ', $show($pipeline->finish()), ' ', $cache->get('a'), "\n";
    posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($child, $status);
echo 'parent ', $show($pipeline->finish()), "\n";

$each('pause');
$pipeline->read('a')->begin();
$each('stop');
echo $show($pipeline->finish()), ' ', $cache->failures()[0]->kind->name, "\n";
echo $show($pipeline->read('a')->begin()->finish()), ' ', count($cache->failures()), "\n";
?>
--EXPECT--
2 [1,null,"Done",3,"Done"] [4,"78"]
Error: Larder\Pipeline::finish() has nothing to take: begin() was not called
Error: Larder\Pipeline::begin() was called before, and finish() was not yet []
get true [1,null]
another object true [1,null]
stats 2 [1,null]
run 1 [1,null]
another one "[[3],null]" [1,null]
gone null [1,null]
0 more connections, done
[1] 1
[1] Begins
child ["no answer"] 1
parent [1]
["no answer"] Unreachable
["no answer"] 1
