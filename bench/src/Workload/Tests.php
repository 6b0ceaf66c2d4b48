<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

/** All tests, by name. TestRows has them; a new one is a class and a row there. */
final readonly class Tests
{
    /** @var array<string, Test> */
    private array $rows;

    /** @param list<Test> $rows */
    public function __construct(array $rows)
    {
        $this->rows = array_column($rows, null, 'name');
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
     * @param string $list `keys:pairs`, or `all`
     *
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
}
