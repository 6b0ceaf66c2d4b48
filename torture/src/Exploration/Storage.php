<?php

declare(strict_types=1);

namespace Larder\Torture\Exploration;

use Larder\Dependency\ColumnType;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Larder\Dependency\SqlLedger;
use Larder\Dependency\Table;
use Larder\Page\FilePageStore;
use Larder\Page\LocalFiles;
use PDO;
use Psr\Clock\ClockInterface;
use Random\Engine\Mt19937;
use Random\Randomizer;

/**
 * The real database file and page store that the processes work on, with one row and one page made from it.
 *
 * Connections are kept from run to run, since opening one costs more than all steps of a run.
 */
final class Storage
{
    public const KEY = '/news/4';
    public const RELEASE = 'r1';
    public const SLOTS = 8;

    private const TABLES = [
        'news', 'larder_ledger', 'larder_slot', 'larder_page', 'larder_edge', 'larder_route', 'larder_place',
    ];

    public readonly string $pages;

    public readonly Registry $registry;

    private readonly RecordingPdo $control;

    /** It tells nobody what it writes, so that a reset is no change. */
    private readonly PDO $plain;

    private Randomizer $random;

    /** @var array<string, DrivenPdo> */
    private array $connections = [];

    /** @var array{bytes: string, mtime: int} of the page store's mark */
    private array $mark;

    /** @var array{version: int, value: int, registered: int|null, text: string}|null */
    private ?array $database = null;

    public function __construct(
        private readonly string $directory,
        public readonly ClockInterface $clock,
        private readonly LocalFiles $files = new LocalFiles(),
    ) {
        $this->files->makeDirectory($directory);
        $this->random = new Randomizer(new Mt19937(1));
        $this->pages = $directory . '/pages';
        $this->registry = new Registry(
            new Table('news', 'id', ['id' => ColumnType::Integer, 'value' => ColumnType::Integer]),
        );
        $this->plain = new PDO('sqlite:' . $directory . '/db');
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
        $this->control = new RecordingPdo('sqlite:' . $directory . '/db', $this->registry);
        $this->control->exec('PRAGMA synchronous = OFF');
        $this->control->exec('PRAGMA busy_timeout = 0');
        (new SqlLedger(
            $this->control,
            new FilePageStore($this->pages, self::RELEASE),
            self::RELEASE,
            clock: $clock,
            slots: self::SLOTS,
            random: $this->random,
        ))->deploy();
        $this->mark = $this->file('ledger') ?? ['bytes' => '', 'mtime' => 0];
        foreach (self::TABLES as $table) {
            $this->plain->exec(\sprintf('CREATE TEMP TABLE first_%1$s AS SELECT * FROM %1$s', $table));
        }
    }

    public static function temporary(ClockInterface $clock): self
    {
        $memory = is_dir('/dev/shm') && is_writable('/dev/shm') ? '/dev/shm' : sys_get_temp_dir();

        return new self($memory . '/larder-explore-' . bin2hex(random_bytes(8)), $clock);
    }

    /** Back to the first state. Every process must be buried. */
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
        foreach (['draft', 'aside', 'r/' . self::RELEASE] as $room) {
            $this->empty($this->pages . '/' . $room);
        }
        $this->files->makeDirectory($this->pages . '/r/' . self::RELEASE);
        if ($this->file('ledger') !== $this->mark) {
            $this->files->unlink($this->pages . '/ledger');
            $this->files->write($this->pages . '/ledger', $this->mark['bytes']);
            $this->files->stamp($this->pages . '/ledger', $this->mark['mtime']);
        }
    }

    /** The same one each time for a process of this name. */
    public function connection(ExploredProcess $process): DrivenPdo
    {
        return $this->connections[$process->name] ??= new DrivenPdo(
            'sqlite:' . $this->directory . '/db',
            $this->registry,
        );
    }

    /** For what is not driven: runs to its end in one go. */
    public function control(): RecordingPdo
    {
        $this->database = null;

        return $this->control;
    }

    public function look(): StorageState
    {
        $drafts = $rooms = [];
        foreach ($this->files->names($this->pages . '/draft') as $name) {
            $drafts[] = $name . ' ' . bin2hex($this->file('draft/' . $name)['bytes'] ?? '');
        }
        foreach (['draft', 'r', 'r/' . self::RELEASE, 'r/' . self::RELEASE . \dirname(self::KEY)] as $room) {
            $rooms[] = is_dir($this->pages . '/' . $room);
        }
        $served = array_filter([
            '' => $this->file('current' . self::KEY . '~page'),
            '.gz' => $this->file('current' . self::KEY . '~page.gz'),
        ], static fn(?array $file): bool => $file !== null);
        $database = $this->database();

        return new StorageState(
            $database['value'],
            $database['registered'],
            $database['text'] . json_encode($rooms, JSON_THROW_ON_ERROR),
            $drafts,
            $this->file('ledger'),
            $served,
        );
    }

    /** Of all processes together, and the same in each run. */
    public function random(): Randomizer
    {
        return $this->random;
    }

    public function remove(): void
    {
        $this->connections = [];
        $this->files->unlink($this->pages . '/current');
        $this->empty($this->directory);
    }

    /** @return array{version: int, value: int, registered: int|null, text: string} */
    private function database(): array
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
                [self::KEY, $this->registry->row('news', 4)->name],
            )[0]['generation'] ?? null;
            $this->database = [
                'version' => $version,
                'value' => $value,
                'registered' => \is_int($generation) ? $generation : null,
                'text' => $text,
            ];
        }

        return $this->database;
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

    /** @return array{bytes: string, mtime: int}|null */
    private function file(string $path): ?array
    {
        return $this->files->read($this->pages . '/' . $path);
    }

    private function empty(string $directory): void
    {
        foreach ($this->files->entries($directory) as $name => $isDirectory) {
            $isDirectory ? $this->empty($directory . '/' . $name) : $this->files->unlink($directory . '/' . $name);
        }
        $this->files->removeDirectory($directory);
    }
}
