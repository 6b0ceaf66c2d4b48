<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Larder\Bench\Subject\Calls;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Workload\Published\DatabaseHits;
use Larder\Bench\Workload\Published\MultiKeyTable;
use Larder\Bench\Workload\Published\SetGetTriangle;

/**
 * The table of tests: what is measured, with whom, and under which conditions. The names of the B1 tests are the source's.
 *
 * The quick profile is what stands in the rows' `quick`; it has to end in six minutes.
 */
final readonly class TestRows
{
    private const STORES = ['noop', 'array', 'apcu', 'shared-memory', 'shared-memory-copy', 'file', 'sqlite', 'memcached', 'memcached-tuned', 'memcached-binary', 'memcache', 'memcache-tuned', 'memcache-udp', 'larder', 'larder-unix', 'larder-udp', 'phpredis', 'phpredis-unix', 'predis', 'predis-unix', 'mariadb', 'mariadb-prepared'];
    private const REDIS = ['noop', 'phpredis', 'phpredis-unix', 'predis', 'predis-unix'];
    private const ENCODERS = ['php', 'php+zlib', 'php+zstd', 'igbinary', 'igbinary+zlib', 'igbinary+zstd', 'msgpack', 'msgpack+zlib', 'msgpack+zstd', 'json', 'json+zlib', 'json+zstd'];
    private const PAGES = ['page-static', 'page-hit', 'page-echo', 'page-include-1', 'page-include-10', 'page-include-100', 'page-app', 'page-uncached'];
    private const MANY = ['noop', 'larder', 'larder-unix', 'larder@2', 'larder@3', 'larder@6', 'larder-udp', 'memcached', 'memcached-tuned', 'memcached@2', 'memcached@3', 'memcached@6', 'memcache', 'memcache@2', 'memcache-udp', 'phpredis', 'phpredis-pipelined', 'phpredis-partitioned@2', 'predis', 'predis-partitioned@2'];

    private const LADDER = [1, 2, 3, 4, 8, 16];
    private const CONNECTIONS = [50, 100, 150, 200];

    /** @return list<Test> */
    public static function all(Catalogue $catalogue): array
    {
        return [...self::clients(), ...self::serializers(), ...self::pages($catalogue), ...self::rows(), ...self::setGet($catalogue), ...self::manyKeys($catalogue), ...self::eav(), ...self::memory(), ...self::calls(), ...self::cache($catalogue)];
    }

    /** @return list<Test> B1 */
    private static function clients(): array
    {
        $workers = self::each('workers', self::LADDER);
        $sizes = self::each('size', [400, 4096, 32_768, 335_872], ['workers' => 1]);
        $apart = [['workers' => 1, 'placement' => 'apart']];
        $open = self::each('load', [0.2, 0.5, 0.8, 0.95], ['workers' => 1]);
        $large = self::each('shape', ['nested', 'rows', 'graph', 'strings'], ['workers' => 1]);
        $natives = ['noop', 'memcached+php', 'memcached=php', 'memcached+igbinary', 'memcached=igbinary', 'memcache', 'phpredis+php', 'phpredis=php', 'phpredis+igbinary', 'phpredis=igbinary', 'predis=php', 'predis=igbinary', 'apcu', 'apcu+igbinary', 'shared-memory-copy'];
        $http = ['noop', 'memcached', 'memcache', 'phpredis', 'predis', 'apcu'];
        $connections = self::each('connections', self::CONNECTIONS);
        $small = [['workers' => 1], ['workers' => 2], ['workers' => 4]];

        return [
            new Test('keys', 'B1 keys', 'a set or a get of 32 bytes, in turn', 'operations', new InProcess(Client\KeyOperations::Keys), self::STORES, [['workers' => 1]], [...$workers, ...$sizes, ...$apart, ...$open], ['noop', 'array', 'apcu', 'file', 'sqlite', 'memcached', 'memcached-tuned', 'memcached-binary', 'memcache', 'phpredis', 'phpredis-unix', 'predis']),
            new Test('get', 'B1 get', 'a get of 400 bytes', 'operations', new InProcess(Client\KeyOperations::Get), self::STORES, [], [...$workers, ...$sizes]),
            new Test('set_only', 'B1 set alone', 'a set of 400 bytes; every 11th is read back', 'operations', new InProcess(Client\KeyOperations::Set), self::STORES, [], [...$workers, ...$sizes]),
            new Test('keys_large', 'B1 keys_large', 'four sets and a get of a large value', 'operations', new InProcess(new Client\KeysLarge()), $natives, [], $large),
            new Test('increase', 'B1 increase', 'a counter is set, raised three times and lowered three times', 'operations', new InProcess(Client\KeyOperations::Increase), self::STORES, [], $small),
            new Test('append', 'B1 append', 'a value is set, extended three times and read', 'operations', new InProcess(Client\KeyOperations::Append), self::STORES, [], $small),
            new Test('multiple_keys', 'B1 multiple_keys', 'four keys are set by one call and read by one call', 'keys', new InProcess(Client\KeyOperations::MultipleKeys), [...self::STORES, 'phpredis-pipelined'], [], $small),
            new Test('list', 'B1 list', 'a push or a pop', 'operations', new InProcess(Client\CollectionOperations::Lists), self::REDIS, [], $small),
            new Test('set', 'B1 set', 'a member added, looked for, moved or drawn', 'operations', new InProcess(Client\CollectionOperations::Sets), self::REDIS, [], $small),
            new Test('hash', 'B1 hash', 'a field or a whole hash set or read', 'operations', new InProcess(Client\CollectionOperations::Hashes), self::REDIS, [], $small),
            new Test('keys_http', 'B1 keys over nginx and php-fpm', 'a request that connects, sets and gets', 'requests', new Http\ClientTests(Client\KeyOperations::Keys), $http, [['connections' => 50]], $connections, ['noop', 'memcached', 'phpredis', 'predis']),
            new Test('keys_large_http', 'B1 keys_large over nginx and php-fpm', 'a request that connects and does one round of keys_large', 'requests', new Http\ClientTests(new Client\KeysLarge()), ['noop', 'memcached+php', 'memcached+igbinary', 'memcached=igbinary', 'memcache', 'phpredis+igbinary', 'phpredis=igbinary', 'predis=php'], [], $connections),
            new Test('increase_http', 'B1 increase over nginx and php-fpm', 'a request that connects and does one round of increase', 'requests', new Http\ClientTests(Client\KeyOperations::Increase), $http, [], $connections),
            new Test('multiple_keys_http', 'B1 multiple_keys over nginx and php-fpm', 'a request that connects and does one round of multiple_keys', 'requests', new Http\ClientTests(Client\KeyOperations::MultipleKeys), $http, [], $connections),
            new Test('breaking_point', 'B1 breaking point', 'a request that connects, sets and gets, by more and more visitors', 'requests', new Http\BreakingPoint(Client\KeyOperations::Keys), $http, [], [['ladder' => '50:100:150:200']], blocks: 1),
        ];
    }

    /** @return list<Test> B2 */
    private static function serializers(): array
    {
        $shapes = self::each('shape', ['small', 'rows', 'graph', 'strings', 'nested'], ['workers' => 1]);
        $plain = ['php', 'igbinary', 'msgpack', 'json', 'igbinary+zlib'];

        return [
            new Test('encode', 'B2 encode', 'a value becomes bytes', 'values', new InProcess(new Encoding\Coding(false)), self::ENCODERS, [], $shapes),
            new Test('decode', 'B2 decode', 'bytes become the value', 'values', new InProcess(new Encoding\Coding(true)), self::ENCODERS, [['shape' => 'rows', 'workers' => 1]], $shapes, $plain),
        ];
    }

    /** @return list<Test> B5 and B10 */
    private static function pages(Catalogue $catalogue): array
    {
        $full = [
            ...self::each('connections', [1, 10, 50, 100, 400], ['keepalive' => true]),
            ['connections' => 50, 'keepalive' => false],
            ...self::each('size', [10, 38, 200], ['connections' => 50, 'keepalive' => true]),
        ];
        $open = ['page-hit', 'page-echo', 'page-uncached'];
        $table = ['uncached' => $catalogue->get('page-uncached'), 'cached' => $catalogue->get('page-hit')];

        return [
            new Test('pages', 'B5 pages', 'a page of 2 KB, or of `size` KB', 'requests', new Http\Pages(), self::PAGES, [['connections' => 50, 'keepalive' => true]], $full, ['page-static', 'page-hit', 'page-echo', 'page-uncached'], published: [new Published\AbTable($table)]),
            new Test('open_pages', 'B5 pages at a given rate', 'a page asked for when it is due, whether or not the last one came', 'requests', new Http\OpenPages(), $open, [], [['loads' => '20:35:50:65:80:90:95']], blocks: 1),
            new Test('overload', 'B5 overload', 'a page asked for twice as often as the site can answer, for 30 s', 'requests', new Http\Overload(), $open, [], [['overload' => 2.0, 'seconds' => 30]], blocks: 1),
            new Test('overload_http', 'B1 overload over nginx and php-fpm', 'a request that connects, sets and gets, twice as often as php-fpm can answer, for 30 s', 'requests', new Http\OverFpm(new Http\Overload(new Http\ClientTargets(Client\KeyOperations::Keys))), ['noop', 'memcached', 'phpredis', 'predis'], [], [['overload' => 2.0, 'seconds' => 30]], blocks: 1),
            new Test('soak', 'Soak', 'a page, again and again for half an hour', 'requests', new Http\Soak(), ['page-hit', 'page-uncached'], [], [['seconds' => 1800]], blocks: 1),
            new Test('soak_http', 'Soak of clients', 'a request that connects, sets and gets, again and again for half an hour', 'requests', new Http\OverFpm(new Http\Soak(new Http\ClientTargets(Client\KeyOperations::Keys))), ['memcached', 'phpredis', 'predis'], [], [['seconds' => 1800]], blocks: 1),
        ];
    }

    /** @return list<Test> B6 */
    private static function rows(): array
    {
        $stores = ['noop', 'array', 'apcu', 'shared-memory', 'shared-memory-copy', 'memcached', 'memcached-tuned', 'phpredis', 'phpredis@2', 'phpredis@3', 'phpredis-partitioned@2', 'phpredis-partitioned@3', 'sqlite', 'mariadb', 'mariadb-prepared', 'mariadb-handler', 'handlersocket'];
        $full = [];
        foreach ([100, 95, 50] as $reads) {
            array_push($full, ...self::each('workers', self::LADDER, ['reads' => $reads]));
        }
        array_push($full, ...self::each('workers', [1, 4], ['reads' => 100, 'keys' => 'zipf']));

        return [
            new Test('pairs', 'B6 rows by key', 'one of 25,000 rows of 400 bytes by its key of 100 bytes', 'operations', new InProcess(new Pairs\ReadPairs()), $stores, [['reads' => 100, 'workers' => 1], ['reads' => 100, 'workers' => 2]], $full, ['noop', 'memcached', 'phpredis', 'mariadb', 'mariadb-prepared', 'handlersocket']),
        ];
    }

    /** @return list<Test> B7 and B8 */
    private static function setGet(Catalogue $catalogue): array
    {
        $stores = ['noop', 'array', 'file', 'sqlite', 'sqlite-connect', 'memcached', 'memcached-connect', 'memcached-connect-only', 'phpredis', 'phpredis-connect', 'phpredis-connect-only', 'mariadb', 'mariadb-connect', 'mariadb-connect-only', 'apcu', 'shared-memory', 'shared-memory-copy'];
        $columns = ['file' => $catalogue->get('file'), 'mysql' => $catalogue->get('mariadb-connect'), 'memcache' => $catalogue->get('memcached-connect')];
        $conditions = [['workers' => 1]];

        return [
            new Test('set_get', 'B7 set and get', 'a set and a get of one of 200 keys', 'pairs', new InProcess(Client\KeyOperations::SetGet), $stores, $conditions, $conditions, ['file', 'memcached', 'memcached-connect', 'memcached-connect-only', 'mariadb', 'mariadb-connect', 'mariadb-connect-only'], published: [new SetGetTriangle($columns), new SetGetTriangle($columns, rotate: true)]),
            new Test('get_only', 'B8 get', 'a get of one of 200 keys', 'operations', new InProcess(Client\KeyOperations::GetOnly), $stores, $conditions, $conditions, ['file', 'memcached', 'memcached-connect', 'mariadb-connect'], published: [new SetGetTriangle($columns, getOnly: true)]),
        ];
    }

    /** @return list<Test> B9 */
    private static function manyKeys(Catalogue $catalogue): array
    {
        $full = [];
        foreach ([0, 0.2, 1] as $delay) {
            array_push($full, ...self::each('batch', [1, 2, 5, 10, 50, 200, 1000], ['values' => 'web', 'rtt' => $delay, 'workers' => 1]));
        }
        array_push($full, ['batch' => 50, 'values' => 'source', 'rtt' => 0, 'workers' => 1], ['batch' => 50, 'values' => 'small', 'rtt' => 0, 'workers' => 1]);
        $one = [['batch' => 50, 'values' => 'web', 'rtt' => 0, 'workers' => 1], ['batch' => 50, 'values' => 'web', 'rtt' => 0.2, 'workers' => 1]];
        $quick = [['batch' => 1, 'values' => 'web', 'rtt' => 0, 'workers' => 1], ['batch' => 50, 'values' => 'web', 'rtt' => 0, 'workers' => 1], ['batch' => 50, 'values' => 'web', 'rtt' => 1, 'workers' => 1]];
        $objects = ['noop', 'memcached', 'memcached+igbinary', 'memcache', 'apcu'];
        $table = ['TCP (1 server)' => $catalogue->get('memcache-tuned'), 'UDP (1 server)' => $catalogue->get('memcache-udp'), 'TCP (6 servers)' => $catalogue->get('memcache-tuned@6'), 'ext-memcached (1 server)' => $catalogue->get('memcached'), 'ext-memcached (6 servers)' => $catalogue->get('memcached@6'), 'ext-memcached, a connection per call' => $catalogue->get('memcached-connect'), 'Larder TCP (1 server)' => $catalogue->get('larder'), 'Larder UDP (1 server)' => $catalogue->get('larder-udp'), 'Larder TCP (6 servers)' => $catalogue->get('larder@6'), 'Larder UDP (6 servers)' => $catalogue->get('larder-udp@6'), 'Larder, a connection per call' => $catalogue->get('larder-connect'), 'phpredis (1 server)' => $catalogue->get('phpredis')];

        return [
            new Test('many_get', 'B9 many keys: get', 'a key of a batch that one call reads', 'keys', new InProcess(ManyKeys\BatchOperations::ManyGet), self::MANY, $quick, $full, ['memcached', 'memcached@3', 'phpredis'], published: [new MultiKeyTable($table)]),
            new Test('single_get', 'B9 one key at a time: get', 'a key of a batch that is read key by key', 'keys', new InProcess(ManyKeys\BatchOperations::SingleGet), self::MANY, [], $one),
            new Test('many_set', 'B9 many keys: set', 'a key of a batch that one call sets; every 11th batch is read back', 'keys', new InProcess(ManyKeys\BatchOperations::ManySet), self::MANY, [], $full),
            new Test('single_set', 'B9 one key at a time: set', 'a key of a batch that is set key by key; every 11th batch is read back', 'keys', new InProcess(ManyKeys\BatchOperations::SingleSet), self::MANY, [], $one),
            new Test('many_delete', 'B9 many keys: delete', 'a key of a batch that one call deletes; one batch in 256 is there', 'keys', new InProcess(ManyKeys\BatchOperations::ManyDelete), self::MANY, [], $one),
            new Test('single_delete', 'B9 one key at a time: delete', 'a key of a batch that is deleted key by key; one batch in 256 is there', 'keys', new InProcess(ManyKeys\BatchOperations::SingleDelete), self::MANY, [], $one),
            new Test('many_increment', 'B9 many counters', 'a counter of a batch that one call raises', 'keys', new InProcess(ManyKeys\BatchOperations::ManyIncrement), self::MANY, [], $one),
            new Test('single_increment', 'B9 one counter at a time', 'a counter of a batch that is raised one by one', 'keys', new InProcess(ManyKeys\BatchOperations::SingleIncrement), self::MANY, [], $one),
            new Test('many_get_objects', 'B9 many objects: get', 'an object of a batch that one call reads, serialized by PHP', 'keys', new InProcess(ManyKeys\BatchOperations::ManyGetObjects), self::MANY, [], $one),
            new Test('single_get_objects', 'B9 one object at a time: get', 'an object of a batch that is read one by one, serialized by the client', 'keys', new InProcess(ManyKeys\BatchOperations::SingleGetObjects), $objects, [], $one),
            new Test('many_set_objects', 'B9 many objects: set', 'an object of a batch that one call sets, serialized by PHP', 'keys', new InProcess(ManyKeys\BatchOperations::ManySetObjects), self::MANY, [], $one),
            new Test('single_set_objects', 'B9 one object at a time: set', 'an object of a batch that is set one by one, serialized by the client', 'keys', new InProcess(ManyKeys\BatchOperations::SingleSetObjects), $objects, [], $one),
        ];
    }

    /** @return list<Test> B11 */
    private static function eav(): array
    {
        $stores = ['eav-array', 'eav-sql', 'eav-sql-ids', 'eav-rows', 'eav-results'];

        return [
            new Test('eav_addresses', 'B11 default addresses', 'the default addresses of a stretch of customers, out of an EAV shop', 'queries', new InProcess(new Eav\CustomerQuery(false)), $stores, [], [['page' => 0, 'workers' => 1], ...self::each('workers', [1, 2], ['page' => 50])]),
            new Test('eav_zip_codes', 'B11 zip codes of the default addresses', 'the same with both zip codes', 'queries', new InProcess(new Eav\CustomerQuery(true)), $stores, [], [['page' => 0, 'workers' => 1], ...self::each('workers', [1, 2], ['page' => 50])]),
        ];
    }

    /** @return list<Test> what is said of the store in shared memory; see docs/reference/bench.md */
    private static function memory(): array
    {
        $apcu = ['apcu', 'apcu+default', 'apcu+igbinary'];
        $get = ['noop', 'array', 'include', 'shared-memory', 'shared-memory-copy', ...$apcu];
        $sizes = array_map(static fn(Memory\Value $value): string => 'value-' . $value->value, Memory\Value::cases());
        $readers = ['shared-memory', 'shared-memory*2', 'apcu', 'apcu*2'];
        $one = ['workers' => 1];
        $values = array_map(static fn(Memory\Value $value): array => ['value' => $value->value], Memory\Value::cases());

        return [
            new Test('memory_get', 'Memory: get', 'a get of the same key, and again', 'gets', new InProcess(new Memory\HotGet()), $get, [[...$one, 'value' => 'rows']], self::each('value', ['int', 'string', 'rows'], $one), ['noop', 'include', 'shared-memory', 'apcu', 'apcu+igbinary']),
            new Test('memory_sizes', 'Memory: get by size', 'a get from shared memory of the value that the subject is named for', 'gets', new InProcess(new Memory\HotGet()), $sizes, [], [$one]),
            new Test('memory_readers', 'Memory: readers at once', 'a get of an int by one process, or by two', 'gets', new InProcess(new Memory\Readers()), $readers, [], self::each('writer', [0, 10_000], $one)),
            new Test('memory_set', 'Memory: set', 'a set that replaces another; every 65th is read back', 'sets', new InProcess(new Memory\LargeSet()), ['noop', 'array', 'shared-memory-copy', ...$apcu], [], [[...$one, 'value' => 'rows']]),
            new Test('memory_bytes', 'Memory: bytes of a value', 'a set of a new key', 'sets', new Memory\Footprint(), ['shared-memory', ...$apcu], [], $values, blocks: 1),
            new Test('memory_hits', 'Memory: hit ratio of a full cache', 'a get of 1,000 bytes, and on a miss a set', 'requests', new Memory\HitRatio(), ['shared-memory-16m', 'apcu-16m'], [], self::each('pattern', ['zipf', 'scan']), blocks: 1),
        ];
    }

    /** @return list<Test> what is said of the memcached client; see docs/reference/bench.md */
    private static function calls(): array
    {
        $near = ['batch' => 50, 'values' => 'even', 'workers' => 1];
        $single = ['raw', 'raw-meta', 'raw-unix', 'larder', 'larder#2', 'larder-unix', 'larder-udp', 'memcached', 'memcached-tuned', 'memcache', 'phpredis'];
        $many = ['raw', 'raw-meta', 'larder', 'larder-unix', 'larder-udp', 'memcached', 'memcached-tuned', 'memcache', 'phpredis-pipelined'];
        $six = ['raw@6', 'raw-meta@6', 'larder@6', 'memcached@6', 'memcache@6'];
        $more = ['larder', 'larder@2', 'larder@3', 'larder@6'];
        $rows = [];
        foreach (Calls::cases() as $calls) {
            $name = 'calls_' . $calls->value;
            $title = 'Client: ' . str_replace('_', ' ', $calls->value);
            $work = new InProcess(new Repeated\RepeatCalls($calls));
            $unit = $calls->isForMany() ? 'a key of the 50 that one call is for' : 'a call for one key';
            $rows[] = new Test($name, $title, $unit, 'keys', $work, $calls->isForMany() ? $many : $single, [], [$near]);
            if ($calls->isForMany()) {
                $rows[] = new Test($name . '_apart', $title . ', or one by one', $unit, 'keys', $work, ['larder', 'larder-singly'], [], [[...$near, 'rtt' => 0.2]]);
                $rows[] = new Test($name . '_far', $title . ', six far servers', $unit, 'keys', $work, $six, [], [[...$near, 'rtt' => 1]]);
                $rows[] = new Test($name . '_more', $title . ', more and more servers', 'a key of the 50 for each server that one call is for', 'keys', $work, $more, [], [['values' => 'even', 'workers' => 1, 'rtt' => 1, 'per_server' => 50]]);
            }
        }

        return $rows;
    }

    /** @return list<Test> what is said of the cache, B3 and B12; see docs/reference/bench.md */
    private static function cache(Catalogue $catalogue): array
    {
        $one = ['workers' => 1];
        $hit = new InProcess(new Memory\HotGet());
        $memory = ['noop', 'array', 'shared-memory', 'cache-memory', 'cache-memory-reads', 'apcu', 'symfony-apcu', 'symfony-phpfiles'];
        $memcached = ['larder', 'larder#2', 'cache-memcached', 'cache-memcached-client', 'cache-memcached-reads', 'cache-tiered', 'cache-tiered-reads', 'memcached', 'memcached-tuned', 'symfony-memcached'];
        $redis = ['cache-redis', 'cache-redis-reads', 'symfony-redis'];
        $values = self::each('value', ['row', 'rows'], $one);
        $modes = [];
        foreach (['memory', 'memcached', 'redis'] as $store) {
            array_push($modes, 'none-' . $store, 'soft-' . $store, 'lock-' . $store, "cache-{$store}-late", 'cache-' . $store);
        }
        array_push($modes, 'cache-tiered', 'symfony-apcu', 'symfony-phpfiles', 'symfony-memcached', 'symfony-redis');
        $faulty = ['none-memcached', 'soft-memcached', 'lock-memcached', 'cache-memory', 'cache-memcached', 'cache-redis', 'cache-tiered', 'symfony-apcu', 'symfony-redis'];
        $hits = ['Wrapper' => $catalogue->get('soft-memcached'), 'Cache' => $catalogue->get('cache-memcached-late'), 'Memcached' => $catalogue->get('none-memcached')];
        $http = ['none-memcached', 'soft-memcached', 'lock-memcached', 'cache-memory', 'cache-memcached', 'cache-redis', 'symfony-apcu', 'symfony-memcached', 'symfony-redis'];
        $tagged = ['cache-memory-copy', 'cache-memcached', 'cache-redis', 'cache-tiered', 'symfony-tags-apcu', 'symfony-tags', 'symfony-tag-sets'];
        $short = ['life' => 2, 'window' => 1, 'compute' => 0.05, 'workers' => 40, 'seconds' => 4];
        $long = ['life' => 10, 'window' => 5, 'compute' => 0.25, 'workers' => 200, 'seconds' => 32];
        $middle = ['life' => 4, 'window' => 2, 'compute' => 0.1, 'workers' => 200, 'seconds' => 13];
        $faults = array_values(array_filter(array_column(Stampede\Fault::cases(), 'value'), static fn(string $fault): bool => $fault !== 'none'));

        return [
            new Test('cache_hit', 'Cache: hit', 'a get of the same key that would make the value if it were not there', 'gets', $hit, $memory, [['value' => 'row', ...$one]], $values, ['cache-memory', 'symfony-apcu']),
            new Test('cache_hit_memcached', 'Cache: hit on memcached', 'the same', 'gets', $hit, $memcached, [], $values),
            new Test('cache_hit_redis', 'Cache: hit on Redis', 'the same', 'gets', $hit, $redis, [], $values),
            new Test('stampede', 'B3 stampede', 'a read of one key by one of many visitors, who come at a given pace', 'reads', new Stampede\Stampede(), $modes, [$short], [$long], ['none-memcached', 'cache-memory', 'cache-memcached'], blocks: 1, published: [new DatabaseHits($hits)]),
            new Test('stampede_faults', 'B3 stampede with a fault', 'a read of one key by one of many visitors, who come at a given pace', 'reads', new Stampede\Stampede(), $faulty, [], self::each('fault', $faults, $middle), blocks: 1),
            new Test('stampede_http', 'B3 stampede over nginx and php-fpm', 'a request that connects and reads the one key', 'requests', new Stampede\StampedeOverFpm(), $http, [], [[...$middle, 'workers' => 100, 'connections' => 200]], blocks: 1),
            new Test('tag_churn', 'B12 tag churn', 'a read of a tagged record, a write of one or a change of what a tag stands for', 'operations', new Tags\Churn(), $tagged, [['records' => 1000, 'tags' => 200, 'seconds' => 1, 'workers' => 4]], [['seconds' => 5, 'workers' => 4]], ['cache-memory-copy', 'symfony-tag-sets'], blocks: 1),
            new Test('tag_memory', 'B12 memory of changes', 'a value that is made, and the change that ends it, by a name that was never used before', 'changes', new Tags\Growth(), $tagged, [], [['changes' => 20_000]], blocks: 1),
            new Test('tag_memory_million', 'B12 memory of a million changes', 'the same', 'changes', new Tags\Growth(), $tagged, [], [['changes' => 1_000_000, 'seconds' => 1200]], blocks: 1),
        ];
    }

    /**
     * @param list<float|int|string>               $values
     * @param array<string, bool|float|int|string> $others
     *
     * @return list<array<string, bool|float|int|string>>
     */
    private static function each(string $parameter, array $values, array $others = []): array
    {
        return array_map(static fn(float|int|string $value): array => [...$others, $parameter => $value], $values);
    }
}
