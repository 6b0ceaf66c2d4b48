<?php

declare(strict_types=1);

namespace Larder\Tests\Row;

use Larder\Row\Table;
use Larder\Store\ArrayStore;
use Larder\Testbed\Server\DatabaseKind;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

/** Types and values that caches of rows get wrong: each is what a SELECT by PDO gives, from the store too. */
#[CoversClass(Table::class)]
#[RequiresPhpExtension('pdo_mysql')]
final class HostileRowsTest extends RowsCase
{
    protected static function kind(): DatabaseKind
    {
        return DatabaseKind::MariaDb;
    }

    public function testEachTypeAndValueComesBackAsItIs(): void
    {
        $plain = $this->plain();
        $plain->exec('DROP TABLE IF EXISTS odd');
        $plain->exec("CREATE TABLE odd (id BIGINT UNSIGNED PRIMARY KEY, b BIT(9), e ENUM('a', 'b'), s SET('x', 'y'),"
            . ' y YEAR, d DECIMAL(20, 5), j JSON, g GEOMETRY, t TEXT, l VARCHAR(30) CHARACTER SET latin1,'
            . ' r LONGBLOB, f FLOAT, o DOUBLE, z DATETIME, m TIME, big BIGINT UNSIGNED, n INT, fill INT(6) ZEROFILL)');
        $plain->exec("SET sql_mode = ''");
        $insert = $plain->prepare("INSERT INTO odd VALUES (?, b'101000001', 'b', 'x,y', 2024, '12.5', '{\"a\": [1]}',"
            . " ST_GeomFromText('POINT(1 2)'), ?, ?, ?, 1.25, 1e300, '0000-00-00', '-12:00:01', ?, ?, 42)");
        $texts = [
            "it's \\ \"quoted\"\n### @1=9 /* INT meta=0 */\r\n\0\t",
            "\u{1F600} emoji", 'NULL', '', ' leads and trails ',
            'O:8:"stdClass":0:{}', 'larder', "\x01\x02|a|b|",
        ];
        foreach ($texts as $i => $text) {
            $insert->execute([$i, $text, "caf\u{e9}", random_bytes(300) . "\xff\xfe\0", '18446744073709551615', null]);
        }
        $insert->execute(['18446744073709551615', null, null, null, null, null]);
        $insert->execute(['9223372036854775807', null, null, str_repeat("\0", 300_000), null, -1]);
        $keys = [...array_keys($texts), '18446744073709551615', PHP_INT_MAX];
        foreach ([$this->store, new ArrayStore()] as $store) {
            $odd = $this->rows(store: $store)->table('odd');
            foreach ([1, 2] as $ignored) {
                foreach ($keys as $key) {
                    $statement = $this->plain()->prepare('SELECT * FROM odd WHERE id = ?');
                    $statement->execute([$key]);
                    self::assertSame($statement->fetch(PDO::FETCH_ASSOC), $odd->find($key), "key $key");
                }
            }
        }
        // All but the key that PHP has no integer for come from the store.
        $plain->exec('DELETE FROM odd');
        $left = array_filter($keys, fn(int|string $key): bool => $this->rows()->table('odd')->find($key) !== null);
        self::assertSame([...array_keys($texts), PHP_INT_MAX], array_values($left));
    }

    public function testACollationsOtherSpellingsAreNotStoredUnderTheirOwnName(): void
    {
        $plain = $this->plain();
        $plain->exec('DROP TABLE IF EXISTS word');
        $plain->exec('CREATE TABLE word (word VARCHAR(20) COLLATE utf8mb4_general_ci PRIMARY KEY, n INT)');
        $plain->exec("INSERT INTO word VALUES ('Abc', 1), ('\u{e9}t\u{e9}', 2)");
        $words = $this->rows()->table('word');
        $spellings = ['Abc', 'abc', 'ABC ', 'ete', "\u{c9}T\u{c9}", "\u{e4}bc", 'none'];
        $expected = [1, 1, 1, 2, 2, 1, null];
        $numbers = static fn(): array => array_map(
            static fn(string $word): mixed => ($words->find($word) ?? ['n' => null])['n'],
            $spellings,
        );
        self::assertSame($expected, $numbers());
        self::assertSame($expected, $numbers());
        self::assertSame($expected, array_map(
            static fn(?array $row): mixed => ($row ?? ['n' => null])['n'],
            array_values($words->findMany($spellings)),
        ));
        $writer = $this->open();
        $this->rows($writer);
        $writer->exec("UPDATE word SET n = 7 WHERE word = 'ETE'");
        $writer->exec("INSERT INTO word VALUES ('N\u{f6}ne', 8)");
        $writer->exec("UPDATE word SET n = 9 WHERE word = 'Abc'");
        self::assertSame([9, 9, 9, 7, 7, 9, 8], $numbers());
    }

    /** A name has the hash of a long value, and somebody may make two texts of one hash. */
    public function testALongKeyIsComparedWithTheRowThatIsFoundByItsHash(): void
    {
        $plain = $this->plain();
        $plain->exec('DROP TABLE IF EXISTS word');
        $plain->exec('CREATE TABLE word (word VARCHAR(200) COLLATE utf8mb4_bin PRIMARY KEY, n INT)');
        $long = str_repeat('k', 100);
        $other = str_repeat('o', 100);
        $plain->exec("INSERT INTO word VALUES ('$long', 1), ('$other', 2)");
        $words = $this->rows()->table('word');
        self::assertSame(['word' => $long, 'n' => 1], $words->find($long));
        $plain->exec('UPDATE word SET n = 7');
        self::assertSame(['word' => $long, 'n' => 1], $words->find($long));
        self::assertSame(['n' => 7], $words->find($other, ['n']));
        // As if their hashes were equal.
        $key = static fn(string $word): string => 'word:~' . sha1($word);
        $this->store->set($key($other), $this->store->get($key($long)));
        self::assertSame(['n' => 7], $words->find($other, ['n']));
        self::assertSame([1, 7], array_column($words->findMany([$long, $other]), 'n'));
        self::assertNull($words->find(str_repeat('x', 100)));
        $plain->exec("INSERT INTO word VALUES ('" . str_repeat('x', 100) . "', 3)");
        self::assertSame(['n' => 3], $words->find(str_repeat('x', 100), ['n']));
    }
}
