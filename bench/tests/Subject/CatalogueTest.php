<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Subject;

use Larder\Bench\Exception\UsageError;
use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Encoder;
use Larder\Bench\Subject\Floor\Noop;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\Objects;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

final class CatalogueTest extends TestCase
{
    public function testHasTheStableIds(): void
    {
        $ids = array_column(Catalogue::standard()->all(), 'id');
        $stable = 'noop array memcached memcached-tuned memcached-binary memcache memcache-udp phpredis phpredis-unix '
            . 'phpredis-pipelined predis apcu file sqlite '
            . 'mariadb mariadb-prepared mariadb-handler handlersocket mariadb-connect memcached-connect '
            . 'sqlite-connect phpredis-connect memcached-connect-only '
            . 'shared-memory shared-memory-copy include apcu+default mariadb-connect-only phpredis-connect-only php '
            . 'igbinary msgpack json none php+zlib igbinary+zlib memcached+igbinary phpredis+igbinary';
        self::assertSame([], array_diff(explode(' ', $stable), $ids));
        self::assertSame($ids, array_values(array_unique($ids)));
    }

    public function testEveryRowMakesWhatItPromises(): void
    {
        foreach (Catalogue::standard()->all() as $row) {
            self::assertInstanceOf($row->class, ($row->make)(), $row->id);
            self::assertNotSame('', $row->title);
            self::assertNotSame([], $row->terms, $row->id);
        }
    }

    public function testOneOfSeveralServersTakesASuffix(): void
    {
        $three = Catalogue::standard()->get('phpredis@3');
        self::assertSame(
            ['phpredis@3', 3, Kind::Redis, Role::Contender],
            [$three->id, $three->instances, $three->needs, $three->role],
        );
        self::assertSame(2, Catalogue::standard()->get('memcached+igbinary@2')->instances);
    }

    public function testATwinIsTheSameUnderAnotherNameAndRole(): void
    {
        $twin = Catalogue::standard()->get('memcached@2#2');
        self::assertSame(['memcached@2#2', 2, Role::Twin], [$twin->id, $twin->instances, $twin->role]);
        self::assertSame(Catalogue::standard()->get('memcached')->terms, $twin->terms);
    }

    public function testMoreWorkersThanAChartNamesTakeASuffixToo(): void
    {
        $twice = Catalogue::standard()->get('apcu*2');
        self::assertSame(
            ['apcu*2', 2, 1, Role::Contender],
            [$twice->id, $twice->times, $twice->instances, $twice->role],
        );
        self::assertSame(
            [2, 3],
            [
                Catalogue::standard()->get('memcached@3*2')->times,
                Catalogue::standard()->get('memcached@3*2')->instances,
            ],
        );
        self::assertSame(2, Catalogue::standard()->get('apcu*2=igbinary')->times);
        self::assertSame(2, Catalogue::standard()->get('apcu*2#2')->times);
    }

    public function testOnlyTheCacheOfThisProjectPromisesExactness(): void
    {
        foreach (Catalogue::standard()->all() as $subject) {
            self::assertSame(str_starts_with($subject->id, 'cache-'), $subject->exact, $subject->id);
        }
        self::assertTrue(Catalogue::standard()->get('cache-memcached@2#2')->exact);
    }

    /** What a user's own php.ini says of a named segment must not send a window into it. */
    public function testSharedMemoryIsAlwaysASegmentOfItsOwn(): void
    {
        $modes = [];
        foreach (['shared-memory', 'shared-memory-copy'] as $id) {
            $row = Catalogue::standard()->get($id);
            self::assertFalse($row->shared, $id);
            self::assertSame('', $row->ini['larder.name'] ?? null, $id);
            $modes[] = $row->ini['larder.share'] ?? null;
        }
        self::assertSame(['1', '0'], $modes);
    }

    /** @return iterable<string, array{string}> */
    public static function unknown(): iterable
    {
        foreach ([
            '',
            'nope',
            'MEMCACHED',
            'memcached@',
            'memcached@0',
            'memcached@01',
            'memcached@17',
            'memcached@2@2',
            'sqlite@2',
            'php@2',
            'memcached#1',
            'memcached#2#2',
            'noop#2',
            'nope#2',
            'nope@2',
            'apcu*1',
            'apcu*',
            'apcu*2*2',
            'apcu#2*2',
            'nope*2',
            "apcu*2\n",
            "memcached\n",
            "memcached@2\n",
        ] as $id) {
            yield json_encode($id, JSON_THROW_ON_ERROR) => [$id];
        }
    }

    #[DataProvider('unknown')]
    public function testAnUnknownOneIsRefusedAndTheKnownListed(string $id): void
    {
        $this->expectException(UsageError::class);
        $this->expectExceptionMessageMatches('/^Unknown subject .* Known: noop array memcached /s');
        Catalogue::standard()->get($id);
    }

    public function testAListIsSeparatedByColonsAndHasNobodyTwice(): void
    {
        $catalogue = Catalogue::standard();
        self::assertSame(
            ['predis', 'memcached@2', 'noop'],
            array_column($catalogue->parse('predis:memcached@2:noop:predis'), 'id'),
        );
        self::assertSame(array_column($catalogue->all(), 'id'), array_column($catalogue->parse('all:noop'), 'id'));
        self::assertSame(
            array_column($catalogue->all(Encoder::class), 'id'),
            array_column($catalogue->parse('all', Encoder::class), 'id'),
        );
        self::assertNotContains('json', array_column($catalogue->all(KeyValue::class), 'id'));
        $this->expectException(UsageError::class);
        $catalogue->parse('memcached::noop');
    }

    public function testTakesFurtherRows(): void
    {
        $mine = new Definition('mine', 'Mine', Noop::class, static fn(): Noop => new Noop());
        self::assertSame($mine, (new Catalogue([...Catalogue::definitions(), $mine]))->get('mine'));
    }

    public function testAMissingExtensionMakesNoDifferenceToTheCatalogue(): void
    {
        // -n: no php.ini, and so none of the extensions that are loaded by one.
        $code = 'require ' . var_export(\dirname(__DIR__, 3) . '/vendor/autoload.php', true)
            . '; echo count(Larder\Bench\Subject\Catalogue::standard()->all());';
        exec(escapeshellarg(PHP_BINARY) . ' -n -r ' . escapeshellarg($code) . ' 2>&1', $output, $status);
        $known = (string) \count(Catalogue::standard()->all());
        self::assertSame($known, implode("\n", $output));
        self::assertSame(0, $status);
    }

    public function testPutsASerializerBeforeAnyStoreOfStrings(): void
    {
        $catalogue = Catalogue::standard();
        $direct = $catalogue->get('memcached@2=igbinary');

        self::assertSame(
            [Kind::Memcached, 2, true],
            [$direct->needs, $direct->instances, $direct->can(Objects::class)],
        );
        self::assertSame('igbinary, by the application', $direct->terms['serializer']);
        $this->expectException(UsageError::class);
        $catalogue->get('igbinary=memcached');
    }
}
