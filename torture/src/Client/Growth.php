<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Larder\Testbed\Server\PhpFpm;

/** What the two processes that nobody kills have taken for themselves, warm and at the end. */
final class Growth
{
    /** @var array<string, array{int, int, int}> process, KB that it alone has, descriptors */
    private array $early = [];

    /** @var array<string, array{int, int, int}> */
    private array $late = [];

    public function __construct(
        private readonly Notes $notes,
        private readonly PhpFpm $php,
    ) {}

    public function lookEarly(): void
    {
        $this->early = $this->look();
    }

    public function lookLate(): void
    {
        $this->late = $this->look();
    }

    /** @return array<string, array{early: array{int, int}, late: array{int, int}}> KB and descriptors of those that lived all the time */
    public function seen(): array
    {
        $seen = [];
        foreach ($this->late as $name => [$process, $kilobytes, $descriptors]) {
            if ($process === ($this->early[$name][0] ?? 0)) {
                $seen[$name] = ['early' => [$this->early[$name][1], $this->early[$name][2]], 'late' => [$kilobytes, $descriptors]];
            }
        }

        return $seen;
    }

    /** @return list<string> names of those that did not */
    public function lost(): array
    {
        return array_values(array_diff(['worker', 'php-fpm'], array_keys($this->seen())));
    }

    /** @return array<string, array{int, int, int}> */
    private function look(): array
    {
        $seen = [];
        foreach (['worker' => $this->notes->seat(0, Note::Process), 'php-fpm' => $this->php->workers()[0] ?? 0] as $name => $process) {
            $rollup = (string) @file_get_contents("/proc/$process/smaps_rollup");
            $descriptors = @scandir("/proc/$process/fd");
            if (preg_match('/^Anonymous:\s+(\d+) kB/m', $rollup, $matches) === 1 && $descriptors !== false) {
                $seen[$name] = [$process, (int) $matches[1], \count($descriptors) - 2];
            }
        }

        return $seen;
    }
}
