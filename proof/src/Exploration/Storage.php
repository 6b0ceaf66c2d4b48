<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Page\Files;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\RecordingPdo;
use Psr\Clock\ClockInterface;
use Random\Randomizer;

/** The real database and the page store that the processes work on, with one row and one page made from it. */
final readonly class Storage
{
    public const KEY = '/news/4';
    public const RELEASE = 'r1';
    public const SLOTS = 8;

    public string $pages;

    public PagePlace $place;

    public Registry $registry;

    private ExploredDatabase $database;

    public function __construct(
        private string $directory,
        public ClockInterface $clock,
        Scenario $scenario,
        private Files $files = new Files(),
    ) {
        $this->files->makeDirectory($directory);
        $this->pages = $directory . '/pages';
        $this->place = $scenario->place($this->pages);
        $this->registry = new Registry(
            new Table('news', 'id', ['id' => ColumnType::Integer, 'value' => ColumnType::Integer]),
        );
        $this->database = $scenario->locking
            ? new MariaDbDatabase($directory . '/mariadb', $this->registry)
            : new SqliteDatabase($directory . '/db', $this->registry);
        (new SqlLedger(
            $this->database->control(),
            $this->place->open(new Implementation(), null),
            self::RELEASE,
            clock: $clock,
            slots: self::SLOTS,
            random: $this->database->random(''),
        ))->deploy();
        $this->place->keep();
        $this->database->keep();
    }

    public static function temporary(ClockInterface $clock, Scenario $scenario): self
    {
        $memory = is_dir('/dev/shm') && is_writable('/dev/shm') ? '/dev/shm' : sys_get_temp_dir();

        return new self($memory . '/larder-explore-' . bin2hex(random_bytes(8)), $clock, $scenario);
    }

    /** Back to the first state. Every process must be buried. */
    public function reset(): void
    {
        $this->database->reset();
        $this->place->reset();
    }

    /** The same one each time for a process of this name. */
    public function connection(ExploredProcess $process): DrivenConnection&RecordingPdo
    {
        return $this->database->connection($process);
    }

    /** For what is not driven: runs to its end in one go. */
    public function control(): RecordingPdo
    {
        return $this->database->control();
    }

    public function look(): StorageState
    {
        ['value' => $value, 'registered' => $registered, 'text' => $text] = $this->database->look();

        return new StorageState($value, $registered, $text, $this->place->look());
    }

    /** @param string $process empty: of nobody */
    public function random(string $process = ''): Randomizer
    {
        return $this->database->random($process);
    }

    public function remove(): void
    {
        $this->database->remove();
        $this->place->remove();
        FilePlace::empty($this->directory, $this->files);
    }
}
