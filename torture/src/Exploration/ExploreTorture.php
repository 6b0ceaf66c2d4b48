<?php

declare(strict_types=1);

namespace Larder\Torture\Exploration;

use Larder\Torture\Option;
use Larder\Torture\Profile;
use Larder\Torture\RequiredExtension;
use Larder\Torture\Result;
use Larder\Torture\Torture;

/** Walks the real classes through every state that a few processes can reach. */
final class ExploreTorture implements Torture
{
    private const COUNTS = ['renderers', 'writers', 'flushers'];
    private const FLAGS = ['faults', 'every-step'];

    /** @var list<string> */
    private array $lines = [];

    /** @var list<string> */
    private array $explained = [];

    private int $states = 0;
    private int $transitions = 0;
    private bool $tooFew = false;

    public function name(): string
    {
        return 'explore';
    }

    public function description(): string
    {
        return 'Plays the real renderer, writer and gates in every order of steps and deaths, and looks for a stale '
            . 'page';
    }

    public function help(): string
    {
        return <<<'HELP'
            Example: <info>script/torture explore --renderers=2 --writers=1</info>

            Walks the real renderer and writer through every reachable state, over a real SQLite file and real files,
            with a death at every step. Without options it takes the usual scenarios, and the gates of values before
            them. The exit code is 1 if anything is wrong in any state, and 2 if there were fewer states than there are.
            HELP;
    }

    public function options(): array
    {
        $digit = static fn(string $name, string $description): Option
            => Option::text($name, $description, '/^[0-9]?$/D', '', '0..9');

        return [
            $digit('renderers', 'Processes that render the page; 2 if only other options are given'),
            $digit('writers', 'Processes that change the row; 1 if only other options are given'),
            $digit('flushers', 'Processes that take every page away'),
            Option::flag('faults', 'Every call that changes a file may fail'),
            Option::flag('every-step', 'Suspend also where other processes cannot notice'),
            Option::choice('double', 'Explore the classes with one guard broken; list lists them', [
                ...array_column(BrokenDouble::cases(), 'name'),
                'list',
            ]),
        ];
    }

    public function requiredExtension(): RequiredExtension
    {
        return RequiredExtension::None;
    }

    public function run(Profile $profile): Result
    {
        if ($profile->text('double') === 'list') {
            $names = array_map(
                static fn(BrokenDouble $double): string => \sprintf('%-26s%s', $double->name, $double->value),
                BrokenDouble::cases(),
            );

            return new Result(['doubles' => \array_slice($names, 0, -1)], $names[\count($names) - 1], true);
        }
        $double = array_column(BrokenDouble::cases(), null, 'name')[$profile->text('double')] ?? null;
        $asked = self::asked($profile);
        $found = [];
        if ($asked === null && $double === null) {
            array_map(
                fn(GateScenario $scenario) => $this->exploreGates($scenario, $found, $profile),
                GateScenario::usual(),
            );
        }
        $scenarios = $asked === null ? ($double === null ? Scenario::usual() : [$double->scenario()]) : [$asked];
        $implementation = $double?->implementation() ?? new Implementation();
        foreach ($scenarios as $scenario) {
            $this->explorePages($scenario, $implementation, $found, $profile);
        }

        return $this->result($found);
    }

    private static function asked(Profile $profile): ?Scenario
    {
        $counts = array_map($profile->text(...), self::COUNTS);
        $flags = array_map($profile->has(...), self::FLAGS);
        if (implode('', $counts) === '' && !\in_array(true, $flags, true)) {
            return null;
        }
        [$renderers, $writers, $flushers] = $counts;
        [$faults, $everyStep] = $flags;

        return new Scenario(
            $renderers === '' ? 2 : (int) $renderers,
            $writers === '' ? 1 : (int) $writers,
            $faults,
            $everyStep,
            (int) $flushers,
        );
    }

    /** @param array<value-of<Violation>, int> $found states by what is wrong in them */
    private function explorePages(
        Scenario $scenario,
        Implementation $implementation,
        array &$found,
        Profile $profile,
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
        $this->note($profile, $scenario->minimum, $exploration->states, $exploration->transitions, \sprintf(
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
    private function exploreGates(GateScenario $scenario, array &$found, Profile $profile): void
    {
        $began = hrtime(true);
        $explorer = new GateExplorer($scenario);
        $schedule = $explorer->search();
        if ($schedule !== null) {
            $found['stale'] = ($found['stale'] ?? 0) + 1;
            $this->explained = [...$this->explained, "gates, $scenario: stale after", ...$schedule];
        }
        $this->note($profile, $scenario->minimum, $explorer->states, 0, \sprintf(
            'gates, %s: %d states, %d stale, %.1f s',
            $scenario,
            $explorer->states,
            $schedule === null ? 0 : 1,
            (hrtime(true) - $began) / 1e9,
        ));
    }

    private function note(Profile $profile, int $minimum, int $states, int $transitions, string $line): void
    {
        $profile->tell($line);
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
