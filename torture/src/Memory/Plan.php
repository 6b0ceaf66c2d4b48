<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Larder\Testbed\Process\Findings;
use RuntimeException;

/** What the processes of one run must agree on. */
final readonly class Plan
{
    /**
     * @param int          $board  of the shared notes
     * @param list<string> $faults fault points at which some of the workers kill themselves; empty: none
     */
    public function __construct(
        public int $board,
        public int $keys,
        public int $seats,
        public int $seed,
        public string $directory,
        public array $faults,
    ) {}

    public static function read(string $file): self
    {
        $plan = unserialize((string) file_get_contents($file), ['allowed_classes' => [self::class]]);

        return $plan instanceof self ? $plan : throw new RuntimeException($file . ' is no plan.');
    }

    public function write(string $file): void
    {
        file_put_contents($file, serialize($this));
    }

    public function board(): Board
    {
        return Board::open($this->board, $this->keys, $this->seats);
    }

    public function findings(): Findings
    {
        return new Findings($this->directory . '/wrong');
    }

    /** Where the last nursery leaves what info() told at the end. */
    public function info(): string
    {
        return $this->directory . '/info.json';
    }
}
