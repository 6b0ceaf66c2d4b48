<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Larder\Bench\Workload\Published\PublishedRun;

/** All tests, by name. A new one is a class and a row. */
final readonly class Tests
{
    /** @var array<string, Test> */
    private array $rows;

    /**
     * @param list<Test>         $rows
     * @param list<PublishedRun> $published
     */
    public function __construct(array $rows, private array $published = [])
    {
        $this->rows = array_column($rows, null, 'name');
    }

    public static function standard(): self
    {
        return new self([
            new Test('keys', 'B1 keys', 'x', 'operations', new InProcess(new SetGet\SetGet()), ['noop', 'array', 'memcached', 'phpredis', 'predis', 'apcu'], [['workers' => 1]], [['workers' => 1]]),
        ]);
    }

    /** @return list<Test> */
    public function all(): array
    {
        return array_values($this->rows);
    }

    /** @throws UnknownTest */
    public function get(string $name): Test
    {
        return $this->rows[$name] ?? throw UnknownTest::named($name, array_keys($this->rows));
    }

    /**
     * @return list<Test>
     *
     * @throws UnknownTest
     */
    public function parse(string $list): array
    {
        $tests = [];
        foreach (explode(':', $list) as $name) {
            foreach ($name === 'all' ? $this->all() : [$this->get($name)] as $test) {
                $tests[$test->name] = $test;
            }
        }

        return array_values($tests);
    }

    /**
     * @param list<string> $tests
     *
     * @return list<PublishedRun> of these tests
     */
    public function published(array $tests): array
    {
        return array_values(array_filter($this->published, static fn(PublishedRun $run): bool => \in_array($run->name(), $tests, true)));
    }
}
