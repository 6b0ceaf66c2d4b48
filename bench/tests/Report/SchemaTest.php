<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Report;

use Larder\Bench\Result\Document;
use Larder\Bench\Result\DocumentFile;
use Opis\JsonSchema\Validator;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversNothing]
final class SchemaTest extends TestCase
{
    private const SCHEMA = __DIR__ . '/../../schema/result-2.json';

    /** @return iterable<string, array{Document}> */
    public static function documents(): iterable
    {
        yield 'a run with all that there can be' => [Fixture::document()];
        yield 'an interrupted run' => [Fixture::interrupted()];
        yield 'a run without anything' => [new Document('', '', '2025-11-21T09:00:00Z', 0.0, true, [], [], [], [])];
    }

    #[DataProvider('documents')]
    public function testWhatIsWrittenFollowsTheSchemaAndIsReadBackTheSame(Document $document): void
    {
        $json = DocumentFile::encode($document);

        self::assertTrue(self::isValid(json_decode($json, flags: JSON_THROW_ON_ERROR)));
        self::assertSame($json, DocumentFile::encode(DocumentFile::decode($json)));
    }

    /**
     * @return iterable<string, array{list<int|string>, mixed}> a place and what is put there; null takes the place away
     */
    public static function damages(): iterable
    {
        yield 'another version' => [['schema'], 'larder-bench/1'];
        yield 'no date' => [['started'], 'yesterday'];
        yield 'something unknown at the top' => [['mood'], 'good'];
        yield 'a missing list' => [['limits'], null];
        yield 'an unknown role' => [['subjects', 0, 'role'], 'winner'];
        yield 'a term that is no text' => [['subjects', 0, 'terms', 'nodelay'], true];
        yield 'an unknown state' => [['charts', 0, 'cells', 0, 'state'], 'fine'];
        yield 'a failure without a reason' => [['charts', 0, 'cells', 0, 'state'], 'failed'];
        yield 'a wrong cell with windows' => [
            ['charts', 0, 'cells', 0],
            ['state' => 'wrong', 'error' => 'another value'],
        ];
        yield 'an unknown figure in a window' => [['charts', 0, 'cells', 0, 'windows', 0, 'rate'], 12.5];
        yield 'a window of no time' => [['charts', 0, 'cells', 0, 'windows', 0, 'seconds'], 0.0];
        yield 'fewer than no operations' => [['charts', 0, 'cells', 0, 'windows', 0, 'operations'], -1];
        yield 'half an operation' => [['charts', 0, 'cells', 0, 'windows', 0, 'operations'], 0.5];
        yield 'nothing as a parameter\'s value' => [['charts', 0, 'parameters', 'workers'], new \stdClass()];
        yield 'a bucket without a count' => [['charts', 0, 'cells', 0, 'latency', 'buckets', 0], [3]];
        yield 'an extra figure in words' => [['charts', 0, 'cells', 0, 'extra', 'bytes'], 'many'];
    }

    /** @param list<int|string> $place */
    #[DataProvider('damages')]
    public function testAnythingElseDoesNot(array $place, mixed $value): void
    {
        $document = Fixture::of([Fixture::chart('keys', [Fixture::cell('memcached', [100.0, 110.0])])]);
        $intact = json_decode(DocumentFile::encode($document), flags: JSON_THROW_ON_ERROR);

        self::assertTrue(self::isValid($intact));
        self::assertFalse(self::isValid(self::damaged($intact, $place, $value)));
    }

    /**
     * Of objects, for of arrays nobody could tell an empty one from an empty list.
     *
     * @param list<int|string> $place
     */
    private static function damaged(mixed $data, array $place, mixed $value): mixed
    {
        $name = array_shift($place);
        if ($name === null) {
            return \is_object($data) && \is_array($value) ? (object) [...(array) $data, ...$value] : $value;
        }
        $members = (array) $data;
        $members[$name] = self::damaged($members[$name] ?? null, $place, $value);
        if ($place === [] && $value === null) {
            unset($members[$name]);
        }

        return \is_object($data) ? (object) $members : $members;
    }

    private static function isValid(mixed $data): bool
    {
        $schema = json_decode((string) file_get_contents(self::SCHEMA), flags: JSON_THROW_ON_ERROR);
        self::assertIsObject($schema);

        return (new Validator())->validate($data, $schema)->isValid();
    }
}
