<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Page\PageStore;
use Larder\Proof\Mutation\Mutant;
use Larder\Sql\Ledger\Ledger;
use Larder\Sql\Ledger\LockingProtocol;
use Larder\Sql\Ledger\OneWriterProtocol;
use Larder\Sql\Ledger\PageRegister;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\Announcer;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\TrackedDatabase;
use LogicException;

/** The classes under test: the real ones, or some replaced by mutants. */
final readonly class Implementation
{
    /** Where a class makes others itself. */
    private const MAKERS = [
        OneWriterProtocol::class => [PageRegister::class => ['__construct / parameter PageRegister / type']],
        SqlLedger::class => [
            PageRegister::class => [
                'register / type',
                'parts / call PageRegister LockingIndex / class',
                'parts / call PageRegister OneWriterIndex / class',
            ],
            LockingProtocol::class => ['parts / call LockingProtocol / class'],
            OneWriterProtocol::class => ['parts / call OneWriterProtocol / class'],
        ],
    ];

    /** @var array<class-string, string> */
    private array $classes;

    public function __construct(Mutant ...$mutants)
    {
        $mutants = array_column($mutants, null, 'class');
        foreach (self::MAKERS as $maker => $made) {
            foreach (array_intersect_key($made, $mutants) as $class => $places) {
                foreach ($places as $place) {
                    $mutants[$maker] = ($mutants[$maker] ?? Mutant::of($maker))
                        ->replace($place, '\\' . $mutants[$class]->load());
                }
            }
        }
        $this->classes = array_map(static fn(Mutant $mutant): string => $mutant->load(), $mutants);
    }

    /**
     * @param class-string<PageStore>  $class
     * @param array<array-key, mixed> $arguments
     */
    public function store(string $class, array $arguments): PageStore
    {
        $store = $this->make($class, $arguments);

        return $store instanceof PageStore
            ? $store
            : throw new LogicException('A mutant of the page store is a page store.');
    }

    public function ledger(Storage $storage, RecordingPdo $connection, PageStore $store, string $process = ''): Ledger
    {
        $ledger = $this->make(
            SqlLedger::class,
            [
                'connection' => $connection,
                'pages' => $store,
                'release' => Storage::RELEASE,
                'clock' => $storage->clock,
                'slots' => Storage::SLOTS,
                'random' => $storage->random($process),
            ],
        );

        $class = $this->classes[SqlLedger::class] ?? SqlLedger::class;
        $connection->tracker()->announceBy(static function (TrackedDatabase $database) use (
            $class,
            $store,
            $storage,
        ): Announcer {
            $announcer = [$class, 'announcer'];
            $made = \is_callable($announcer)
                ? $announcer($database, $store, Storage::RELEASE, $storage->clock, Storage::SLOTS)
                : null;

            return $made instanceof Announcer
                ? $made
                : throw new LogicException('A mutant of the ledger makes an announcer.');
        });

        return $ledger instanceof Ledger ? $ledger : throw new LogicException('A mutant of the ledger is a ledger.');
    }

    /**
     * @param class-string        $class
     * @param array<array-key, mixed> $arguments
     */
    private function make(string $class, array $arguments): object
    {
        $made = $this->classes[$class] ?? $class;

        return new $made(...$arguments);
    }
}
