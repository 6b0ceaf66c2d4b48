<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Exception\UsageError;
use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Statistics\Looks;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Encoder;
use Larder\Bench\Subject\Pages\SitePage;
use Larder\Bench\Workload\Code\CodeSubjects;
use Larder\Bench\Workload\Eav\CustomerQuery;
use Larder\Bench\Workload\Follow\Following;
use Larder\Bench\Workload\Http\StoredPages;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Memory\MemorySubjects;
use Larder\Bench\Workload\Requests\RequestSubjects;
use Larder\Bench\Workload\Session\Sessions;
use Larder\Bench\Workload\Sql\SqlSubjects;
use Larder\Bench\Workload\Stampede\HandWrittenCaches;
use Larder\Bench\Workload\Test;
use Larder\Bench\Workload\Tests;

/** What there is to measure, and which charts of it a command line asks for. */
final readonly class Planner
{
    /**
     * @param string|null    $clients     `a:b:c` or `all`; null: what each test names
     * @param string|null    $names       the same; null: what the profile names
     * @param list<string>   $serializers null: what each test names
     * @param list<int>|null $workers
     * @param list<string>|null $databases   null: what each test names
     */
    public function __construct(
        private Catalogue $catalogue,
        private Tests $tests,
        private Profile $profile,
        private ?string $clients = null,
        private ?string $names = null,
        private ?array $serializers = null,
        private ?array $workers = null,
        private ?int $blocks = null,
        private ?array $databases = null,
    ) {}

    /**
     * All that can be measured; Tests::standard() of it names by what.
     *
     * @param string|null $subjects PHP file that returns a list of further Definitions
     *
     * @throws UsageError
     */
    public static function catalogue(?string $subjects = null): Catalogue
    {
        return new Catalogue([
            ...Catalogue::definitions(),
            ...SitePage::subjects(),
            ...CodeSubjects::subjects(),
            ...StoredPages::subjects(),
            ...RequestSubjects::subjects(),
            ...CustomerQuery::subjects(),
            ...MemorySubjects::subjects(),
            ...HandWrittenCaches::subjects(),
            ...SqlSubjects::subjects(),
            ...Sessions::subjects(),
            ...Following::subjects(),
            ...self::more($subjects),
        ]);
    }

    /** @return list<Planned> the A/A check first */
    public function plan(): array
    {
        $plan = [];
        foreach ($this->tests->parse($this->names ?? $this->profile->tests()) as $test) {
            foreach ($this->conditions($test) as $parameters) {
                $subjects = $this->subjects($test);
                if ($subjects !== []) {
                    $plan[] = new Planned($test, $parameters, $subjects, $this->looks($test));
                }
            }
        }
        if ($plan === []) {
            throw new UsageError(
                'Nothing is left to measure: no test goes with these clients, serializers and workers.',
            );
        }

        return [...$this->check($plan), ...$plan];
    }

    /** @return list<array<string, bool|float|int|string>> */
    private function conditions(Test $test): array
    {
        $conditions = $this->profile === Profile::Quick ? $test->quick : $test->full;
        if ($conditions === [] && $this->names !== null) {
            // Asked for by name, so it is measured, if only once.
            $conditions = \array_slice($test->full, 0, 1);
        }
        foreach ([
            'workers' => $this->workers,
            'serializer' => $this->serializers,
            'database' => $this->databases,
        ] as $name => $values) {
            $conditions = $values === null ? $conditions : self::replaced($conditions, $name, $values);
        }

        return $conditions;
    }

    /**
     * @param list<array<string, bool|float|int|string>> $conditions
     * @param list<int|string>                           $values
     *
     * @return list<array<string, bool|float|int|string>>
     */
    private static function replaced(array $conditions, string $name, array $values): array
    {
        $replaced = [];
        foreach ($conditions as $parameters) {
            foreach (isset($parameters[$name]) ? $values : [null] as $value) {
                $new = $value === null ? $parameters : [...$parameters, $name => $value];
                if (!\in_array($new, $replaced, true)) {
                    $replaced[] = $new;
                }
            }
        }

        return $replaced;
    }

    private function looks(Test $test): Looks
    {
        $blocks = $test->blocks ?? $this->blocks;

        return $blocks === null ? $this->profile->looks() : Looks::once($blocks);
    }

    /** @return list<Definition> */
    private function subjects(Test $test): array
    {
        if (
            $this->clients === null
            || ($this->clients === 'all' && $test->workload->refuses($this->catalogue->get('noop')) !== null)
        ) {
            $ids = $this->profile === Profile::Quick ? $test->quickSubjects ?? $test->subjects : $test->subjects;
            $named = array_map($this->catalogue->get(...), $ids);
        } else {
            $named = $this->catalogue->parse($this->clients);
        }

        return array_values(array_filter($named, $this->hasSerializer(...)));
    }

    /**
     * A serializer by itself, one of a client (`memcached+igbinary`), or one before it (`memcached=igbinary`); clients
     * without stay.
     */
    private function hasSerializer(Definition $subject): bool
    {
        if (
            $this->serializers === null
            || preg_match($subject->can(Encoder::class) ? '/^\w+/' : '/(?<=[+=])\w+/', $subject->id, $name) !== 1
        ) {
            return true;
        }

        return \in_array($name[0], $this->serializers, true);
    }

    /**
     * The same client twice under two names. If that comes out as a difference, no other difference of this run means
     * anything.
     *
     * @param non-empty-list<Planned> $plan
     *
     * @return list<Planned>
     */
    private function check(array $plan): array
    {
        foreach ($plan as $planned) {
            $able = array_filter($planned->subjects, static fn(
                Definition $subject,
            ): bool => $planned->test->workload instanceof InProcess
                && $subject->role === Role::Contender
                    && $subject->missing() === []
                    && $planned->test->workload->refuses(
                        $subject,
                    ) === null);
            // A client of a server is noisier than one that needs none.
            $served = array_filter($able, static fn(Definition $subject): bool => $subject->needs !== Kind::None);
            $subject = array_values($served)[0] ?? array_values($able)[0] ?? null;
            if ($subject !== null) {
                $twins = [$subject, $subject->as($subject->id . '#2', role: Role::Twin)];

                return [
                    new Planned($planned->test, [...$planned->parameters, 'check' => 'A/A'], $twins, $planned->looks),
                ];
            }
        }

        return [];
    }

    /** @return list<Definition> */
    private static function more(?string $file): array
    {
        if ($file === null) {
            return [];
        }
        if (!is_file($file)) {
            throw new UsageError(\sprintf('There is no file %s with subjects.', $file));
        }
        $rows = (static fn(string $file): mixed => require $file)($file);
        $wrong = new UsageError(\sprintf('%s must return a list of %s.', $file, Definition::class));
        if (!\is_array($rows)) {
            throw $wrong;
        }

        return array_map(
            static fn(mixed $row): Definition => $row instanceof Definition ? $row : throw $wrong,
            array_values($rows),
        );
    }
}
