<?php

declare(strict_types=1);

namespace Larder\Tests\Row;

use Larder\Memcached;
use Larder\Store\MemcachedStore;
use Larder\Testbed\Server\DatabaseKind;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use Symfony\Component\Process\Process;

/** A program in another language reads the rows that are stored as JSON. */
#[CoversNothing]
#[RequiresPhpExtension('larder')]
#[RequiresPhpExtension('pdo_mysql')]
final class OtherLanguageTest extends RowsCase
{
    protected static function kind(): DatabaseKind
    {
        return DatabaseKind::MariaDb;
    }

    public function testTwentyLinesOfPythonReadARow(): void
    {
        $socket = $this->socket();
        $client = new Memcached('unix:' . $socket, serializer: 'json', shared: false);
        $store = new MemcachedStore('shared-rows', $client);
        $rows = $this->rows(store: $store)->table('news');
        $program = __DIR__ . '/read_row.py';
        self::assertLessThanOrEqual(20, \count((array) file($program)));
        $read = static function (int $id) use ($program, $socket): mixed {
            $process = new Process(['python3', $program, $socket, 'shared-rows', 'news', (string) $id]);
            $process->mustRun();

            return json_decode($process->getOutput(), true, flags: JSON_THROW_ON_ERROR);
        };
        self::assertNull($read(4));
        self::assertSame($rows->find(4), $read(4));
        $rows->find(5);
        self::assertSame($rows->find(5), $read(5));
        $writer = $this->open();
        $this->rows($writer, $store);
        $writer->exec("UPDATE news SET title = 'New' WHERE id = 4");
        self::assertNull($read(4));
        $rows->find(4);
        $writer->exec('UPDATE news SET published = 3 WHERE id IN (SELECT 5)');
        self::assertNull($read(4), 'its generation is over');
    }
}
