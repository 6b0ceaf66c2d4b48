<?php

declare(strict_types=1);

namespace Larder\Proof;

use Larder\Testbed\Process\Extension;
use Larder\Testbed\Process\Findings;
use RuntimeException;

/** What all processes of one run must agree on. They read it from a file. */
final readonly class Plan
{
    /**
     * @param int          $board   number by which other programs open the board
     * @param int          $workers including those of other programs
     * @param list<string> $words   what else this program's workers need
     */
    public function __construct(
        public int $board,
        public int $workers,
        public int $seed,
        public string $directory,
        public array $words,
    ) {}

    public static function read(string $file): self
    {
        $plan = unserialize((string) file_get_contents($file), ['allowed_classes' => [self::class]]);

        return $plan instanceof self ? $plan : throw new RuntimeException($file . ' is no plan.');
    }

    /**
     * A command that runs workers of a program in a PHP of their own.
     *
     * @param array<string, string> $ini
     *
     * @return non-empty-list<string>
     */
    public function command(string $torture, Extension $extension, array $ini, string ...$arguments): array
    {
        file_put_contents($this->directory . '/plan', serialize($this));
        $words = [TortureCommand::script(), 'workers', $torture, $this->directory . '/plan'];

        return [...$extension->barePhp($ini), ...$words, ...array_values($arguments)];
    }

    public function findings(): Findings
    {
        return new Findings($this->directory . '/wrong');
    }
}
