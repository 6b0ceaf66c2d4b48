<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Closure;
use Larder\Answer;
use Larder\Dependency\Change;
use Larder\Dependency\ComputedValue;
use Larder\Dependency\Gates;
use Larder\Exception\ChangeFailed;
use Larder\Outcome;
use Larder\Store\ArrayStore;

/**
 * The real Gates, used by several processes on one name, over data that counts its versions.
 *
 * It cannot be copied. To go back, play the moves again on a new one.
 */
final class GateSystem
{
    private const NAME = 'a';
    private const OTHER = 'b';
    private const GATE = "\0va";
    private const COUNTER = "\0c";
    private const LIFE = 60.0;

    /** @var array<string, GateProcess> */
    private array $processes = [];

    private readonly ArrayStore $store;

    private readonly StoppedClock $clock;

    /** @var list<array{int, array<string, int>}> what readers have put into the cache: data and stamps */
    private array $values = [];

    private int $data = 1;

    private int $deaths = 0;

    private int $losses = 0;

    public function __construct(private readonly GateScenario $scenario)
    {
        $this->clock = new StoppedClock();
        $this->store = new ArrayStore($this->clock);
        $first = new Gates($this->store, inTransaction: static fn(): bool => false);
        $first->make(static fn(): int => 1, [self::NAME], null);
        $begin = function (string $kind, int $count, bool $writes, Closure $work): void {
            for ($i = 1; $i <= $count; ++$i) {
                $this->processes["$kind$i"] = new GateProcess("$kind$i", $writes, $work);
            }
        };
        $begin('R', $scenario->readers, false, fn(GateProcess $process) => $this->read($process, false));
        $begin('L', $scenario->late, false, fn(GateProcess $process) => $this->read($process, true));
        $begin('O', $scenario->old, false, $this->readOld(...));
        $begin('W', $scenario->writers, true, fn(GateProcess $process) => $this->write($process, self::NAME));
        $begin('X', $scenario->others, true, fn(GateProcess $process) => $this->write($process, self::OTHER));
    }

    /** @return list<string> what may happen next */
    public function moves(): array
    {
        $running = array_filter($this->processes, static fn(GateProcess $process): bool => !$process->isOver());
        $writing = array_filter($running, static fn(GateProcess $process): bool => $process->writes);
        $moves = array_map(
            static fn(GateProcess $process): string => $process->name . ' goes on',
            array_values($running),
        );
        if ($this->deaths < $this->scenario->deaths) {
            $moves = [
                ...$moves,
                ...array_map(
                    static fn(GateProcess $process): string => $process->name . ' dies',
                    array_values($writing),
                ),
            ];
        }
        if ($this->losses < $this->scenario->losses) {
            $moves = [...$moves, ...array_keys($this->lost())];
        }
        // Only a dead writer's gate may end: a living one looks at its gate in time, and a late reader is not that
        // late.
        if (
            $this->deaths > 0
            && $writing === []
            && $this->scenario->late === 0
            && \is_array($this->store->get(self::GATE))
        ) {
            $moves[] = 'the gate ends';
        }

        return $moves;
    }

    public function move(string $move): void
    {
        [$name, $what] = explode(' ', $move, 2);
        $lost = $this->lost()[$move] ?? [];
        if ($what === 'goes on') {
            $this->processes[$name]->next();
        } elseif ($what === 'dies') {
            ++$this->deaths;
            $this->processes[$name]->isDead = true;
        } elseif ($move === 'the gate ends') {
            $this->clock->seconds += self::LIFE;
        } else {
            ++$this->losses;
            $this->store->deleteMultiple($lost);
        }
    }

    /**
     * Whether a value is served that was made from old data. Where a gate may be lost, the change of a writer that
     * still lives counts from the moment at which change() returned.
     */
    public function isStale(): bool
    {
        foreach ($this->values as [$version, $stamps]) {
            if (
                $version < $this->data
                && !$this->isHealing()
                && $this->store->getMultiple(array_keys($stamps)) === $stamps
            ) {
                return true;
            }
        }

        return false;
    }

    /**
     * Equal for states with the same future. Random numbers and versions are replaced by the order of their first use.
     */
    public function state(): string
    {
        $seen = [];
        $counter = $this->store->get(self::COUNTER);
        $plain = static function (mixed $thing) use (&$seen, &$plain, $counter): mixed {
            /** @var array<string, int> $seen */
            return match (true) {
                $thing instanceof Outcome => $thing->name,
                $thing instanceof Answer => [
                    $thing->hit,
                    $plain($thing->value),
                    $seen["v$thing->version"] ??= \count($seen),
                ],
                \is_array($thing) => array_map($plain, array_values($thing)),
                \is_int($thing) && \is_int($counter) && abs($thing - $counter) < 1024 => 'c' . ($thing - $counter),
                \is_int($thing) && $thing > 0xFFFFFFFF => 'n' . $seen["n$thing"] ??= \count($seen),
                default => $thing,
            };
        };
        $processes = array_map(
            static fn(GateProcess $process): array => [
                $process->isDead,
                $process->isBetween,
                $process->isOver() ? null : $process->known,
            ],
            $this->processes,
        );

        return md5(
            serialize(
                $plain([
                    $this->store->read(self::GATE),
                    \is_int($counter),
                    $this->store->getMultiple($this->notes()),
                    $this->store->read("\0v" . self::OTHER)->value,
                    $this->data,
                    $this->deaths,
                    $this->losses,
                    $this->values,
                    $processes,
                ]),
            ),
        );
    }

    /** @return array<string, list<string>> keys by the move that loses them */
    private function lost(): array
    {
        return ['the gate is lost' => [self::GATE]]
            + ($this->scenario->late === 0 ? [] : [
                'the counter is lost' => [self::COUNTER],
                'what was noted is lost' => $this->notes(),
            ]);
    }

    /** @return list<string> keys of what may have been noted of changes, the latest first */
    private function notes(): array
    {
        $counter = $this->store->get(self::COUNTER);
        $notes = [];
        for ($i = $this->scenario->writers + $this->scenario->others; $i > 0 && \is_int($counter); --$i) {
            $notes[] = "\0l" . $counter-- % 1024;
        }

        return $notes;
    }

    private function isHealing(): bool
    {
        return $this->losses > 0
            && array_filter(
                $this->processes,
                static fn(GateProcess $process): bool => $process->isBetween && !$process->isDead,
            ) !== [];
    }

    private function read(GateProcess $process, bool $isLate): void
    {
        $counter = $this->store->get(self::COUNTER);
        $frozen = $this->scenario->unseen && \is_int($counter) ? $counter : null;
        $gates = new Gates(
            new GateStore($this->store, $process, $frozen),
            gateSeconds: self::LIFE,
            inTransaction: static fn(): bool => false,
        );
        $made = $gates->make(function () use ($process, $gates, $isLate): mixed {
            $data = $process->step(fn(): int => $this->data);
            if ($isLate) {
                $gates->reads(self::NAME);
            }

            return $data;
        }, $isLate ? [] : [self::NAME], null);
        $this->keep($process, $made);
    }

    private function readOld(GateProcess $process): void
    {
        $data = $process->step(fn(): int => $this->data);
        $gates = new Gates(
            new GateStore($this->store, $process),
            gateSeconds: self::LIFE,
            inTransaction: fn(): bool => !$this->scenario->unseen,
        );
        $this->keep($process, $gates->make(static fn(): int => $data, [self::NAME], null));
    }

    /** @param ComputedValue<int> $made */
    private function keep(GateProcess $process, ComputedValue $made): void
    {
        if ($made->stamps !== null) {
            $process->step(function () use ($made): void {
                $this->values[] = [$made->value, $made->stamps ?? []];
            });
        }
    }

    private function write(GateProcess $process, string $name): void
    {
        $gates = new Gates(new GateStore($this->store, $process), gateSeconds: self::LIFE);
        try {
            $gates->change([$name], function (Change $change) use ($process, $name): void {
                $change->check();
                $process->step(function () use ($process, $name): void {
                    $this->data += $name === self::NAME ? 1 : 0;
                    $process->isBetween = true;
                });
            });
        } catch (ChangeFailed) {
        }
        $process->isBetween = false;
    }
}
