<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Check\Seal;
use Larder\Bench\Exception\WrongReply;

/**
 * Where the value comes from, as from a slow database: whoever makes it takes the time, and leaves a line in the log.
 *
 * The value is an array with the generation of the data, when it was read, and a sealed text.
 */
final class Origin
{
    private const LENGTH = 400;

    /** How many values this process has made. */
    public int $computed = 0;

    private readonly Seal $seal;

    /** @param Board|null $board null: the data does not change, and no compute is slow */
    public function __construct(
        private readonly string $key,
        private readonly Course $course,
        private readonly ?Board $board,
        private readonly ComputeLog $log,
        private readonly int $worker,
    ) {
        $this->seal = new Seal();
    }

    /** @return array{generation: int, made: int, text: string} */
    public function compute(): array
    {
        ++$this->computed;
        $generation = $this->board?->get(Board::DATA) ?? 0;
        $made = hrtime(true);
        $seconds = $this->course->compute;
        if ($this->board?->get(Board::SLOW) === 1) {
            $this->board->put(Board::SLOW, 0);
            $seconds = 2 * $this->course->freshness->lease;
        }
        $this->log->begins($this->worker);
        usleep((int) ($seconds * 1e6));
        $this->log->ends($this->worker);

        return ['generation' => $generation, 'made' => $made, 'text' => $this->seal->value($this->key, $generation, self::LENGTH)];
    }

    /**
     * @return array{int, int} generation and when it was made
     *
     * @throws WrongReply if this is no value of the key, whole and as it was made
     */
    public function check(mixed $value): array
    {
        if (!\is_array($value) || !\is_int($value['generation'] ?? null) || !\is_int($value['made'] ?? null) || !\is_string($value['text'] ?? null)) {
            throw new WrongReply($this->key . ': not what was made');
        }
        if (\strlen($value['text']) !== self::LENGTH) {
            throw new WrongReply(\sprintf('%s: %d bytes where %d were made', $this->key, \strlen($value['text']), self::LENGTH));
        }
        $this->seal->check($this->key, $value['text'], $value['generation'], $value['generation']);

        return [$value['generation'], $value['made']];
    }
}
