<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Check\Verifier;
use Larder\Bench\Exception\WrongReply;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Value\SealedBytes;

/**
 * Makes the value as a slow database query does: it takes its time and leaves a line in the log.
 *
 * The value is an array of the generation of the data, the time when it was read, and a sealed text.
 */
final class SlowSource
{
    private const LENGTH = 400;

    /** Number of values that this process has made. */
    public int $computed = 0;

    private readonly SealedBytes $seal;

    /** @param Board|null $board null: the data does not change, and no compute takes longer than the others */
    public function __construct(
        private readonly string $key,
        private readonly Scenario $scenario,
        private readonly ?Board $board,
        private readonly ComputeLog $log,
        private readonly int $worker,
    ) {
        $this->seal = new SealedBytes();
    }

    /** @return array{generation: int, made: int, text: string} */
    public function compute(): array
    {
        ++$this->computed;
        $generation = $this->board?->get(Stampede::GENERATION) ?? 0;
        $made = hrtime(true);
        $seconds = $this->scenario->compute;
        if ($this->board?->get(Stampede::SLOW) === 1) {
            $this->board->set(Stampede::SLOW, 0);
            $seconds = 2 * $this->scenario->freshness->lease;
        }
        $this->log->begins($this->worker);
        usleep((int) ($seconds * 1e6));
        $this->log->ends($this->worker);
        $text = $this->seal->value($this->key, $generation, self::LENGTH);

        return ['generation' => $generation, 'made' => $made, 'text' => $text];
    }

    /**
     * @return array{int, int} generation and when it was made
     *
     * @throws WrongReply if this is not a whole value of the key as compute() returned it
     */
    public function check(mixed $value): array
    {
        $generation = \is_array($value) ? $value['generation'] ?? null : null;
        $made = \is_array($value) ? $value['made'] ?? null : null;
        $text = \is_array($value) ? $value['text'] ?? null : null;
        if (!\is_int($generation) || !\is_int($made) || !\is_string($text)) {
            throw new WrongReply($this->key . ': not what was made');
        }
        if (\strlen($text) !== self::LENGTH) {
            throw new WrongReply(
                \sprintf('%s: %d bytes where %d were made', $this->key, \strlen($text), self::LENGTH),
            );
        }
        Verifier::of(true, $this->seal)->value($this->key, $text, $generation, $generation);

        return [$generation, $made];
    }
}
