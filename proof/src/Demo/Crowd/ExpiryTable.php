<?php

declare(strict_types=1);

namespace Larder\Proof\Demo\Crowd;

use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Output\OutputInterface;

/** The bursts for people. */
final readonly class ExpiryTable
{
    /** @param list<Burst> $bursts */
    public function __construct(private array $bursts) {}

    public function write(OutputInterface $output): void
    {
        $output->writeln(\sprintf(
            "\nA page of %d queries of a SQLite file, whatever database the site above has; each takes %d ms longer "
            . "than SQLite takes for it.\nAll of them have expired when the visitors come, all at once: requests to "
            . "nginx, one worker of php-fpm for each.\nMilliseconds until a visitor has the page.\n",
            Queries::COUNT,
            Queries::MILLISECONDS,
        ));
        $table = new Table($output);
        $table->setHeaders(['store', 'visitors', '', 'computes per query', 'p50 ms', 'p99 ms', 'max ms']);
        foreach ($this->bursts as $burst) {
            $table->addRow([
                $burst->store,
                \count($burst->milliseconds),
                $burst->way->value,
                \sprintf('%.1f (at most %d)', $burst->queriesPerList(), max([0, ...$burst->queries])),
                ...array_map(
                    static fn(float $share): string => number_format($burst->within($share)),
                    [0.5, 0.99, 1.0],
                ),
            ]);
        }
        $table->render();
        $wrong = array_sum(array_map(static fn(Burst $burst): int => $burst->wrong, $this->bursts));
        $output->writeln(
            \sprintf(
                'answers checked %d, wrong %d',
                array_sum(array_map(static fn(Burst $burst): int => \count($burst->milliseconds), $this->bursts)),
                $wrong,
            ),
        );
    }
}
