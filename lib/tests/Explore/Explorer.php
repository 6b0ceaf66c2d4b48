<?php

declare(strict_types=1);

namespace Larder\Tests\Explore;

/**
 * Walks through every state that a scene can reach, depth first.
 *
 * A fiber cannot be copied, so going back means to play the schedule again from the first state.
 */
final class Explorer
{
    /** @var array<string, true> fingerprints */
    private array $seen = [];

    /** @var array<string, true> */
    private array $sights = [];

    private int $transitions = 0;

    /** @var array<value-of<Wrong>, int> */
    private array $wrong = [];

    /** @var array<value-of<Wrong>, list<Move>> */
    private array $schedules = [];

    /** @var array<value-of<Wrong>, string> */
    private array $reasons = [];

    /** @param Wrong|null $sought ends at the first state in which this is so; null: walks through all */
    public function __construct(
        private readonly Scene $scene,
        private readonly ?Wrong $sought = null,
    ) {}

    public function explore(): Exploration
    {
        $this->scene->play([]);
        $this->arrive([]);
        $this->scene->bury();

        $sights = array_keys($this->sights);
        sort($sights);

        return new Exploration(\count($this->seen), $this->transitions, $sights, $this->wrong, $this->schedules, $this->reasons);
    }

    /** @param list<Move> $path at whose end the scene stands */
    private function arrive(array $path): void
    {
        $look = $this->scene->look();
        $fingerprint = $this->scene->fingerprint($look);
        if (isset($this->seen[$fingerprint])) {
            return;
        }
        $this->seen[$fingerprint] = true;
        $this->sights[$look->sight()] = true;
        $this->judge($look, $path);
        $moves = $this->scene->moves();
        if ($moves === [] && $look->served !== []) {
            $this->judge($this->scene->changeOnceMore(), [...$path, new Move('one more writer', Command::Step, 'changes the row')]);
        }
        $this->leave($path, $moves, $this->deaths($look));
    }

    /**
     * @param list<Move>            $path
     * @param list<Move>            $moves
     * @param array<string, string> $deaths
     */
    private function leave(array $path, array $moves, array $deaths): void
    {
        $there = true;
        while ($moves !== [] && !isset($this->wrong[$this->sought?->value])) {
            // A search is shorter with writers first; a walk visits all states in any order.
            $move = $this->sought === null ? array_shift($moves) : array_pop($moves);
            if ($move->command === Command::Die && isset($this->seen[$deaths[$move->process]])) {
                ++$this->transitions;
                continue;
            }
            if (!$there) {
                $this->scene->play($path);
            }
            $there = !$this->scene->move($move);
            if ($there) {
                $moves[] = new Move($move->process, Command::GiveUp, $move->step);
            } else {
                ++$this->transitions;
                $this->arrive([...$path, $move]);
            }
        }
    }

    /**
     * A death changes nothing that is shared but locks, so the state after it is known before it is played. Most are known states.
     *
     * @return array<string, string> fingerprint of each process's death
     */
    private function deaths(Look $look): array
    {
        $deaths = [];
        foreach ($this->scene->moves() as $move) {
            if ($move->command === Command::Die) {
                $deaths[$move->process] = $this->scene->fingerprint($look, $move->process);
            }
        }

        return $deaths;
    }

    /** @param list<Move> $path */
    private function judge(Look $look, array $path): void
    {
        foreach ($look->wrongs() as $wrong => $reason) {
            $this->wrong[$wrong] = ($this->wrong[$wrong] ?? 0) + 1;
            $this->schedules[$wrong] ??= $path;
            $this->reasons[$wrong] ??= $reason;
        }
    }
}
