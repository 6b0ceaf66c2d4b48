<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Proof\About;
use Larder\Proof\Option;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\Torture;

/** Walks the real classes through every state that a few processes can reach. */
final class ExploreTorture implements Torture
{
    private const COUNTS = ['renderers', 'writers', 'flushers'];
    private const FLAGS = ['faults', 'every-step'];
    private const TROUBLES = ['silences', 'restarts', 'losses'];

    /** @var list<string> */
    private array $lines = [];

    /** @var list<string> */
    private array $explained = [];

    private int $states = 0;
    private int $transitions = 0;
    private bool $tooFew = false;

    public function about(): About
    {
        $digit = static fn(string $name, string $description): Option
            => Option::text($name, $description, '/^[0-9]?$/D', '', '0..9');

        return new About(
            'explore',
            'Plays the real renderer, writer and gates in every order of steps and deaths, and looks for a stale '
                . 'page',
            <<<'HELP'
            Example: <info>script/torture explore --renderers=2 --writers=1</info>

            Walks the real renderer and writer through every reachable state, over a real SQLite file and real files or
            the model of a memcached server, with a death at every step. A command that was sent may be done late, or
            never. Without options it takes the usual scenarios, and the gates of values before them. With --redis it
            walks through a model of Redis servers that come back with older data, in the place of all that: 430,000
            states. The exit code is 1 if anything is wrong in any state, and 2 if there were fewer states than there
            are.
            HELP,
            [
                $digit('renderers', 'Processes that render the page; 2 if only other options are given'),
                $digit('writers', 'Processes that change the row; 1 if only other options are given'),
                $digit('flushers', 'Processes that take every page away'),
                Option::choice('algorithm', 'F has pages in files, D+ in a memcached server', ['F', 'D+'], 'F'),
                Option::choice(
                    'database',
                    'Where the ledger is; mariadb goes with D+',
                    ['sqlite', 'mariadb'],
                    'sqlite',
                ),
                $digit('silences', 'Of D+: calls that get no reply'),
                $digit('restarts', 'Of D+: how often the server begins anew'),
                $digit('losses', 'Of D+: items that are evicted'),
                Option::flag('leases', 'Of D+: renderers take a lease first'),
                Option::flag('faults', 'Every call that changes a file may fail'),
                Option::flag('redis', 'What binds the values of a RedisStore to the server that has them'),
                Option::flag('every-step', 'Suspend also where other processes cannot notice'),
                Option::choice('double', 'Explore the classes with one guard broken; list lists them', [
                    ...array_unique([
                        ...array_column(BrokenDouble::cases(), 'name'),
                        ...array_column(BrokenServerDouble::cases(), 'name'),
                    ]),
                    'list',
                ]),
            ],
        );
    }

    public function run(Run $run): Result
    {
        $found = [];
        if ($run->has('redis')) {
            $this->exploreRedis($found, $run);

            return $this->result($found);
        }
        $algorithm = Algorithm::from($run->text('algorithm'));
        $locking = $run->text('database') === 'mariadb';
        if ($locking && $algorithm === Algorithm::Files) {
            return new Result([], 'Files are explored on SQLite: add --algorithm=D+, or leave out --database', false);
        }
        if ($run->text('double') === 'list') {
            $names = array_map(
                static fn(Broken $double): string => \sprintf('%-26s%s', $double->name, $double->value),
                $algorithm->doubles(),
            );

            return new Result(['doubles' => \array_slice($names, 0, -1)], $names[\count($names) - 1], true);
        }
        $double = array_column($algorithm->doubles(), null, 'name')[$run->text('double')] ?? null;
        if ($double === null && $run->text('double') !== '') {
            return new Result([], "$algorithm->value has no such double; --double=list lists them", false);
        }
        $asked = self::asked($run, $algorithm, $locking);
        if ($asked === null && $double === null && $algorithm === Algorithm::Files) {
            array_map(
                fn(GateScenario $scenario) => $this->exploreGates($scenario, $found, $run),
                GateScenario::usual(),
            );
        }
        $scenarios = match (true) {
            $asked !== null => [$asked],
            $double !== null => [$double->scenario()],
            default => $algorithm->usual($locking),
        };
        $implementation = $double?->implementation() ?? new Implementation();
        foreach ($scenarios as $scenario) {
            $this->explorePages($scenario, $implementation, $found, $run);
        }

        return $this->result($found);
    }

    private static function asked(Run $run, Algorithm $algorithm, bool $locking): ?Scenario
    {
        $counts = array_map($run->text(...), self::COUNTS);
        $flags = array_map($run->has(...), [...self::FLAGS, 'leases']);
        $troubles = array_map($run->text(...), self::TROUBLES);
        if (implode('', [...$counts, ...$troubles]) === '' && !\in_array(true, $flags, true)) {
            return null;
        }
        [$renderers, $writers, $flushers] = $counts;
        [$faults, $everyStep, $leases] = $flags;
        [$silences, $restarts, $losses] = array_map(intval(...), $troubles);

        $asked = new Scenario(
            $renderers === '' ? 2 : (int) $renderers,
            $writers === '' ? 1 : (int) $writers,
            $faults,
            $everyStep,
            (int) $flushers,
            servers: $algorithm === Algorithm::Files ? null : new Troubles($silences, $restarts, $losses, $leases),
            locking: $locking,
        );
        // One that is listed knows how many states there are at least.
        foreach ([...$algorithm->usual($locking), ...Scenario::large()] as $listed) {
            if ("$listed" === "$asked") {
                return $listed;
            }
        }

        return $asked;
    }

    /** @param array<value-of<Violation>, int> $found states by what is wrong in them */
    private function explorePages(
        Scenario $scenario,
        Implementation $implementation,
        array &$found,
        Run $run,
    ): void {
        $began = hrtime(true);
        $exploration = $scenario->explore($implementation);
        $counts = [];
        foreach (Violation::cases() as $violation) {
            $count = $exploration->violations[$violation->value] ?? 0;
            $found[$violation->value] = ($found[$violation->value] ?? 0) + $count;
            if ($count > 0 || $violation === Violation::Stale) {
                $counts[] = "$count $violation->value";
            }
        }
        $this->note($run, $scenario->minimum, $exploration->states, $exploration->transitions, \sprintf(
            '%s: %d states, %d transitions, %s, %.1f s',
            $scenario,
            $exploration->states,
            $exploration->transitions,
            implode(', ', $counts),
            (hrtime(true) - $began) / 1e9,
        ));
        if ($exploration->violations !== []) {
            $this->explained = [...$this->explained, ...explode("\n", $exploration->explained())];
        }
    }

    /** @param array<value-of<Violation>, int> $found */
    private function exploreGates(GateScenario $scenario, array &$found, Run $run): void
    {
        $began = hrtime(true);
        $explorer = new GateExplorer($scenario);
        $schedule = $explorer->search();
        if ($schedule !== null) {
            $found['stale'] = ($found['stale'] ?? 0) + 1;
            $this->explained = [...$this->explained, "gates, $scenario: stale after", ...$schedule];
        }
        $this->note($run, $scenario->minimum, $explorer->states, 0, \sprintf(
            'gates, %s: %d states, %d stale, %.1f s',
            $scenario,
            $explorer->states,
            $schedule === null ? 0 : 1,
            (hrtime(true) - $began) / 1e9,
        ));
    }

    /** @param array<value-of<Violation>, int> $found */
    private function exploreRedis(array &$found, Run $run): void
    {
        foreach (RedisRule::cases() as $rule) {
            foreach ($rule->minima() as $troubles => $minimum) {
                $began = hrtime(true);
                $explorer = new RedisExplorer($rule, explode(' and ', $troubles));
                $schedule = $explorer->search();
                if (($schedule === null) !== $rule->holds()) {
                    $found['stale'] = ($found['stale'] ?? 0) + 1;
                    $this->explained = [
                        ...$this->explained,
                        "Redis, $rule->name, $troubles: " . ($schedule === null ? 'nothing was found' : 'stale after'),
                        ...$schedule ?? [],
                    ];
                }
                $this->note($run, $minimum, $explorer->states, 0, \sprintf(
                    'Redis, %s, %s: %d states, %s, %.1f s',
                    $rule->name,
                    $troubles,
                    $explorer->states,
                    $schedule === null ? 'holds' : 'stale',
                    (hrtime(true) - $began) / 1e9,
                ));
            }
        }
    }

    private function note(Run $run, int $minimum, int $states, int $transitions, string $line): void
    {
        $run->tell($line);
        $this->lines[] = $line;
        $this->states += $states;
        $this->transitions += $transitions;
        $this->tooFew = $this->tooFew || $states < $minimum;
    }

    /** @param array<value-of<Violation>, int> $found */
    private function result(array $found): Result
    {
        $figures = ['states' => $this->states, 'transitions' => $this->transitions, ...$found];
        $figures += ['scenarios' => \array_slice($this->lines, 0, -1), 'findings' => $this->explained];

        return new Result(
            $figures,
            $this->lines[\count($this->lines) - 1] ?? '',
            array_sum($found) === 0,
            !$this->tooFew,
            'Fewer states than there are: the explorer does not explore.',
        );
    }
}
