<?php

declare(strict_types=1);

namespace Larder\Proof\Sessions;

use Larder\Proof\Result;

/** What the rounds have shown so far. */
final class SessionTally
{
    private const SHOWN = 10;

    public int $rounds = 0;
    public int $marks = 0;
    public int $answered = 0;
    public int $kills = 0;
    public int $holders = 0;
    public int $unlocks = 0;
    public int $lost = 0;
    public int $locked = 0;

    /** @var list<string> */
    public array $wrong = [];

    public function killed(bool $isKilled, bool $isHolder): void
    {
        $this->kills += $isKilled ? 1 : 0;
        $this->holders += $isKilled && $isHolder ? 1 : 0;
    }

    /**
     * @param string|null $seen     the marks in the session at the end; null: it could not be had
     * @param string      $answered the marks that were answered 200, a line each
     * @param int         $asked    requests
     */
    public function judge(string $id, ?string $seen, string $answered, int $asked): void
    {
        ++$this->rounds;
        $this->marks += $asked;
        $promised = array_filter(explode("\n", $answered), static fn(string $mark): bool => $mark !== '');
        $this->answered += \count($promised);
        if ($seen === null) {
            ++$this->locked;
            $this->wrong[] = "round $this->rounds: the session could not be had at the end";

            return;
        }
        $kept = explode(' ', $seen);
        $lost = array_diff($promised, $kept);
        $this->lost += \count($lost);
        foreach ($lost as $mark) {
            $this->wrong[] = "round $this->rounds: $mark was answered 200 and is not in the session";
        }
        if (\count($kept) !== \count(array_unique($kept))) {
            $this->wrong[] = "round $this->rounds: a mark is there twice";
        }
    }

    public function line(): string
    {
        return \sprintf(
            '%d rounds, %d of %d requests answered 200, %d kills (%d of who had the session), %d lost, %d locked',
            $this->rounds,
            $this->answered,
            $this->marks,
            $this->kills,
            $this->holders,
            $this->lost,
            $this->locked,
        );
    }

    /**
     * @param string $refusals file of the causes, a line each
     * @param int    $refused  of the first requests, which nothing disturbed
     */
    public function result(string $refusals, Keeper $keeper, int $refused, int $first): Result
    {
        $lines = @file($refusals);
        $causes = array_count_values(array_map(trim(...), $lines === false ? [] : $lines));
        ksort($causes);
        $wrong = $this->wrong;
        if ($refused > 0) {
            array_unshift($wrong, "$refused of the first $first requests, which nothing disturbed, were refused");
        }

        return new Result(
            [
                'rounds' => $this->rounds,
                'requests' => $this->marks,
                'answered' => $this->answered,
                'first_refused' => $refused,
                'kills' => $this->kills,
                'kills_of_holders' => $this->holders,
                'locks_taken_away' => $this->unlocks,
                'lost' => $this->lost,
                'still_locked' => $this->locked,
                'refusals' => array_map(
                    static fn(int $count, string $cause): string => "refused: $cause $count",
                    $causes,
                    array_keys($causes),
                ),
                'wrong' => \array_slice($wrong, 0, self::SHOWN),
            ],
            "$keeper->value: {$this->line()}; $refused of the first $first refused",
            $wrong === [] || !$keeper->isLarder(),
            $this->answered > 0 && ($this->kills === 0 || $this->holders > 0),
            'No request was answered 200, or nobody was killed that had the session.',
        );
    }
}
