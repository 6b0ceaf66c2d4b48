<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Sql\Schema\Registry;
use Larder\Sql\Tracker\RecordingPdo;
use PDO;
use Random\Engine\Mt19937;
use Random\Randomizer;

/** A real SQLite file. Connections are kept from run to run, since opening one costs more than all steps of a run. */
final class SqliteDatabase implements ExploredDatabase
{
    private const TABLES = [
        'news', 'larder_ledger', 'larder_slot', 'larder_page', 'larder_edge', 'larder_route', 'larder_place',
    ];

    private readonly RecordingPdo $control;

    /** It tells nobody what it writes, so that a reset is no change. */
    private readonly PDO $plain;

    /** Of all processes together. */
    private Randomizer $random;

    /** @var array<string, DrivenPdo> */
    private array $connections = [];

    /** @var array{version: int, value: int, registered: int|null, text: string}|null */
    private ?array $database = null;

    public function __construct(private readonly string $file, private readonly Registry $registry)
    {
        $this->random = new Randomizer(new Mt19937(1));
        $this->plain = new PDO('sqlite:' . $file);
        foreach ([
            'PRAGMA page_size = 1024',
            'PRAGMA journal_mode = WAL',
            'PRAGMA synchronous = OFF',
            'PRAGMA busy_timeout = 0',
        ] as $pragma) {
            $this->plain->exec($pragma);
        }
        $this->plain->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, value INTEGER NOT NULL)');
        $this->plain->exec('INSERT INTO news VALUES (4, 0)');
        $this->control = new RecordingPdo('sqlite:' . $file, $registry);
        $this->control->exec('PRAGMA synchronous = OFF');
        $this->control->exec('PRAGMA busy_timeout = 0');
    }

    public function keep(): void
    {
        foreach (self::TABLES as $table) {
            $this->plain->exec(\sprintf('CREATE TEMP TABLE first_%1$s AS SELECT * FROM %1$s', $table));
        }
    }

    public function reset(): void
    {
        $this->plain->beginTransaction();
        foreach (self::TABLES as $table) {
            $this->plain->exec('DELETE FROM main.' . $table);
            $this->plain->exec(\sprintf('INSERT INTO main.%1$s SELECT * FROM first_%1$s', $table));
        }
        $this->plain->commit();
        $this->database = null;
        $this->random = new Randomizer(new Mt19937(2));
    }

    public function connection(ExploredProcess $process): DrivenPdo
    {
        return $this->connections[$process->name] ??= new DrivenPdo('sqlite:' . $this->file, $this->registry);
    }

    public function control(): RecordingPdo
    {
        $this->database = null;

        return $this->control;
    }

    public function random(string $process): Randomizer
    {
        return $this->random;
    }

    public function look(): array
    {
        /** @var int $version changes whenever another connection has committed */
        $version = $this->rows('PRAGMA data_version')[0]['data_version'] ?? 0;
        if ($this->database === null || $this->database['version'] !== $version) {
            $text = '';
            foreach (self::TABLES as $table) {
                $text .= $table
                    . json_encode($this->rows('SELECT * FROM main.' . $table), JSON_THROW_ON_ERROR);
            }
            /** @var int $value */
            $value = $this->rows('SELECT value FROM news')[0]['value'] ?? 0;
            $generation = $this->rows(
                'SELECT p.generation FROM larder_page p JOIN larder_edge e ON e.page = p.id WHERE p.page = ? AND '
                    . 'e.name = ?',
                [Storage::KEY, $this->registry->row('news', 4)->name],
            )[0]['generation'] ?? null;
            $this->database = [
                'version' => $version,
                'value' => $value,
                'registered' => \is_int($generation) ? $generation : null,
                'text' => $text,
            ];
        }

        ['value' => $value, 'registered' => $registered, 'text' => $text] = $this->database;

        return ['value' => $value, 'registered' => $registered, 'text' => $text];
    }

    public function remove(): void
    {
        $this->connections = [];
    }

    /**
     * @param list<string> $parameters
     *
     * @return list<array<string, mixed>>
     */
    private function rows(string $sql, array $parameters = []): array
    {
        $statement = $this->plain->prepare($sql);
        $statement->execute($parameters);
        /** @var list<array<string, mixed>> $rows */
        $rows = $statement->fetchAll(PDO::FETCH_ASSOC);

        return $rows;
    }
}
