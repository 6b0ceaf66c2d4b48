<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Dependency\Change;
use Larder\Dependency\Ledger;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\SqlLedger;
use Larder\Exception\LarderException;
use Larder\Lease\Leases;
use Larder\Page\PagePath;
use Larder\Page\PageStore;
use Larder\Page\Policy;
use Larder\Page\Renderer;
use Larder\Page\Response;
use Larder\Page\Site;
use LogicException;
use PDOException;

/** Renderers, writers and flushers on one storage. It starts them, moves one at a time, and tells states apart. */
final class PageSystem
{
    private readonly Site $site;

    private readonly PagePath $page;

    /** @var list<array<string, string>> ways to rename the processes among those of their role */
    private readonly array $renamings;

    /** @var array<string, ExploredProcess> */
    private array $processes = [];

    private DraftNames $drafts;

    public function __construct(
        private readonly Storage $storage,
        private readonly Implementation $implementation,
        private readonly Scenario $scenario,
    ) {
        $this->site = new Site(
            'explored',
            ['localhost'],
            $storage->pages,
            $storage->pages . '.php',
            [],
            $storage->control(...),
        );
        $this->page = $this->site->urls->page(Storage::KEY) ?? throw new LogicException('The key is canonical.');
        $this->drafts = new DraftNames();
        $renamings = [[]];
        foreach ([
            'R' => $scenario->renderers,
            'W' => $scenario->writers,
            'F' => $scenario->flushers,
        ] as $role => $count) {
            $longer = [];
            foreach ($renamings as $renaming) {
                foreach (self::permutations(self::names($role, $count)) as $permutation) {
                    $longer[] = $renaming + $permutation;
                }
            }
            $renamings = $longer;
        }
        $this->renamings = $renamings;
    }

    /** @param list<Move> $schedule */
    public function play(array $schedule): void
    {
        $this->bury();
        $this->storage->reset();
        $this->drafts = new DraftNames();
        foreach (array_keys($this->renamings[0]) as $name) {
            $this->processes[$name] = new ExploredProcess($name, $this->drafts);
            $this->start($this->processes[$name]);
        }
        foreach ($schedule as $move) {
            if (!$this->move($move)) {
                throw new LogicException(
                    \sprintf(
                        '"%s" was possible before and is blocked now: the code under test is not deterministic.',
                        $move,
                    ),
                );
            }
        }
    }

    /** Lets each process run to its end, so that its connection knows what it reads only once. */
    public function rehearse(): void
    {
        $this->play([]);
        foreach ($this->processes as $process) {
            while ($process->next() !== null) {
                $process->move(Event::Step);
            }
        }
    }

    /** @return list<Move> what can happen next, though a step may turn out to be blocked */
    public function moves(): array
    {
        $moves = [];
        foreach ($this->processes as $process) {
            $step = $process->next();
            if ($step === null) {
                continue;
            }
            $moves[] = new Move($process->name, Event::Step, $step);
            $moves[] = new Move($process->name, Event::Die, $step);
            foreach ($this->storage->place->faults($step) as $event) {
                $moves[] = new Move($process->name, $event, $step);
            }
        }

        return [...$moves, ...$this->storage->place->moves()];
    }

    /** @return bool false: it is blocked, and nothing happened */
    public function move(Move $move): bool
    {
        $process = $this->processes[$move->process] ?? null;
        if ($process === null) {
            $this->storage->place->move($move);

            return true;
        }
        if ($process->next() !== $move->step) {
            throw new LogicException(
                \sprintf(
                    '%s stands before "%s", not "%s": the code under test is not deterministic.',
                    $move->process,
                    $process->next(),
                    $move->step,
                ),
            );
        }
        if ($move->event !== Event::Die) {
            if (\in_array($move->event, $this->storage->place->faults($move->step), true)) {
                $this->storage->place->failed();
            }

            return $process->move($move->event);
        }
        $this->storage->connection($process)->vanish();
        $process->die();

        return true;
    }

    public function look(): StorageState
    {
        return $this->storage->look();
    }

    /**
     * Equal for states with the same future.
     *
     * Processes of one role run the same code for the same page, so states that differ only in who is who are one
     * state.
     *
     * @param string|null $without a process that is taken for dead: what it had not committed is in no StorageState, so
     *     nothing else changes
     */
    public function fingerprint(StorageState $state, ?string $without = null): string
    {
        $shared = $this->drafts->named($state->text());
        $drafts = array_filter(
            array_map($this->drafts->named(...), $state->place->drafts),
            fn(string $draft): bool => !$this->isAbandoned($draft, $without),
        );
        $hashes = [];
        foreach ($this->renamings as $renaming) {
            $tokens = [];
            foreach ($renaming as $name => $other) {
                $tokens[$name . '~'] = $other . '~';
            }
            $renamed = array_map(static fn(string $draft): string => strtr($draft, $tokens), $drafts);
            sort($renamed, SORT_STRING);
            $texts = [];
            foreach ($this->processes as $name => $process) {
                $texts[$renaming[$name]] = $name === $without ? 'ended' : strtr($process->text(), $tokens);
            }
            ksort($texts);
            $hashes[] = hash(
                'xxh128',
                strtr($shared, $tokens) . "\0" . implode("\0", $renamed) . "\0\0" . implode("\0", $texts),
                true,
            );
        }

        sort($hashes, SORT_STRING);

        return $hashes[0];
    }

    /** Whether no process will ever rename the draft: its name is random, and its maker has ended. */
    private function isAbandoned(string $draft, ?string $without): bool
    {
        $maker = strstr($draft, '~', true);

        return $maker !== false && ($maker === $without || $this->processes[$maker]->next() === null);
    }

    /** Makes one more change, undisturbed, at the end of a run. It must drop the pages that are left. */
    public function changeOnceMore(): StorageState
    {
        $this->bury();
        $connection = $this->storage->control();
        $store = $this->storage->place->open($this->implementation, null);
        $this->change($connection, $this->implementation->ledger($this->storage, $connection, $store));

        return $this->look();
    }

    public function bury(): void
    {
        foreach ($this->processes as $process) {
            if (!$process->isDead()) {
                $this->storage->connection($process)->vanish();
            }
            $process->bury();
        }
        $this->processes = [];
    }

    private function start(ExploredProcess $process): void
    {
        $connection = $this->storage->connection($process);
        $connection->drive($process, $this->scenario->everyStep);
        $store = $this->storage->place->open($this->implementation, $process);
        $ledger = $this->implementation->ledger($this->storage, $connection, $store, $process->name);
        $do = match ($process->name[0]) {
            'R' => $this->scenario->servers?->leases === true && $store instanceof Leases
                ? fn() => $this->renderAlone($connection, $ledger, $store)
                : fn() => $this->render($connection, $ledger, $store),
            'W' => fn() => $this->change($connection, $ledger),
            default => fn() => $ledger instanceof SqlLedger
                ? $ledger->flush()
                : throw new LogicException('Only the real ledger is flushed.'),
        };
        $process->start(static function () use ($do): void {
            try {
                $do();
            } catch (LarderException|PDOException) {
                return;
            }
        });
    }

    /** As Miss does. */
    private function renderAlone(RecordingPdo $connection, Ledger $ledger, Leases&PageStore $store): void
    {
        $lease = $store->acquire($this->page->key);
        if ($store->read($this->page, false) === null && $lease !== null) {
            try {
                $this->render($connection, $ledger, $store);
            } finally {
                $lease->release();
            }
        } else {
            $lease?->release();
        }
    }

    private function render(RecordingPdo $connection, Ledger $ledger, PageStore $store): void
    {
        $registry = $this->storage->registry;
        $make = fn(): Response => new Response(200, [
            'content-type' => [$this->site->urls->areas[0]->type],
        ], 'value ' . implode(
            array_column(
                $connection->select('SELECT value FROM news WHERE id = ?', [4], $registry->row('news', 4)),
                'value',
            ),
        ));
        (new Renderer($this->site, $ledger, $store, $registry, $this->storage->clock))->render(
            $this->page,
            'explored',
            new Policy(['news'], null),
            $make,
        );
    }

    private function change(RecordingPdo $connection, Ledger $ledger): void
    {
        $ledger->transaction(static function () use ($connection): void {
            $connection->exec('UPDATE news SET value = value + 1 WHERE id = 4');
        });
    }

    /** @return array<string, string> */
    private static function names(string $role, int $count): array
    {
        $names = [];
        for ($i = 1; $i <= $count; ++$i) {
            $names[$role . $i] = $role . $i;
        }

        return $names;
    }

    /**
     * @param array<string, string> $names
     *
     * @return list<array<string, string>>
     */
    private static function permutations(array $names): array
    {
        if ($names === []) {
            return [[]];
        }
        $key = array_key_last($names);
        $permutations = [];
        foreach ($names as $chosen) {
            $rest = array_values(array_diff($names, [$chosen]));
            $keys = array_slice(array_keys($names), 0, -1);
            foreach (self::permutations($keys === [] ? [] : array_combine($keys, $rest)) as $permutation) {
                $permutations[] = $permutation + [$key => $chosen];
            }
        }

        return $permutations;
    }
}
