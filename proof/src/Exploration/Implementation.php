<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Dependency\Ledger;
use Larder\Dependency\Protocol\LockingProtocol;
use Larder\Dependency\Protocol\OneWriterProtocol;
use Larder\Dependency\Protocol\PageRegister;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\SqlLedger;
use Larder\Page\PageStore;
use Larder\Proof\Mutation\Mutant;
use LogicException;

/** The classes under test: the real ones, or some replaced by mutants. */
final readonly class Implementation
{
    /** @var array<class-string, string> */
    private array $classes;

    public function __construct(Mutant ...$mutants)
    {
        $classes = [];
        foreach ($mutants as $mutant) {
            $classes[$mutant->class] = $mutant->load();
        }
        // The ledger makes its parts itself.
        $register = '\\' . ($classes[PageRegister::class] ?? PageRegister::class);
        if (isset($classes[PageRegister::class])) {
            $classes[OneWriterProtocol::class] = (new Mutant(OneWriterProtocol::class, [
                'private PageRegister ' => 'private ' . $register . ' ',
            ]))->load();
        }
        if (isset($classes[LockingProtocol::class])) {
            $classes[SqlLedger::class] = (new Mutant(SqlLedger::class, [
                'new LockingProtocol(' => 'new \\' . $classes[LockingProtocol::class] . '(',
            ]))->load();
        }
        if (isset($classes[OneWriterProtocol::class])) {
            $classes[SqlLedger::class] = (new Mutant(SqlLedger::class, [
                'readonly PageRegister ' => 'readonly ' . $register . ' ',
                'new PageRegister(' => 'new ' . $register . '(',
                'new OneWriterProtocol(' => 'new \\' . $classes[OneWriterProtocol::class] . '(',
            ]))->load();
        }
        $this->classes = $classes;
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
