<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Larder\Proof\OwnMemory;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Server\PhpFpm;

/** Memory and descriptors of the two processes that are never killed, once they are warm and at the end. */
final class ProcessGrowth
{
    /** @var array<string, array{int, int, int}> process, KB that it alone has, descriptors */
    private array $early = [];

    /** @var array<string, array{int, int, int}> */
    private array $late = [];

    public function __construct(
        private readonly Board $board,
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

    /**
     * @return array<string, array{early: array{int, int}, late: array{int, int}}> KB and descriptors of those that
     *     lived all the time
     */
    public function seen(): array
    {
        $seen = [];
        foreach ($this->late as $name => [$process, $kilobytes, $descriptors]) {
            if ($process === ($this->early[$name][0] ?? 0)) {
                $seen[$name] = [
                    'early' => [$this->early[$name][1], $this->early[$name][2]],
                    'late' => [$kilobytes, $descriptors],
                ];
            }
        }

        return $seen;
    }

    /** @return list<string> names of those that did not live all the time */
    public function lost(): array
    {
        return array_values(array_diff(['worker', 'php-fpm'], array_keys($this->seen())));
    }

    /** @return array<string, array{int, int, int}> */
    private function look(): array
    {
        $seen = [];
        $worker = $this->board->get(ClientCount::ProcessId, 0);
        foreach (['worker' => $worker, 'php-fpm' => $this->php->workers()[0] ?? 0] as $name => $process) {
            $kilobytes = OwnMemory::of($process);
            $descriptors = @scandir("/proc/$process/fd");
            if ($kilobytes !== null && $descriptors !== false) {
                $seen[$name] = [$process, $kilobytes, \count($descriptors) - 2];
            }
        }

        return $seen;
    }
}
