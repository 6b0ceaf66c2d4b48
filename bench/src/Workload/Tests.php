<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Larder\Bench\Exception\UsageError;
use Larder\Bench\Subject\Catalogue;

/** All tests by name. Each family of workloads has a table with its own. */
final readonly class Tests
{
    /** @var array<string, Test> */
    private array $tests;

    /** @param list<Test> $tests */
    public function __construct(array $tests)
    {
        $this->tests = array_column($tests, null, 'name');
    }

    public static function standard(Catalogue $catalogue): self
    {
        return new self([
            ...Client\ClientTable::tests(),
            ...Encoding\Coding::tests(),
            ...Code\CodeTable::tests(),
            ...Http\Pages::tests($catalogue),
            ...Http\StoredPages::tests(),
            ...Requests\RequestTable::tests(),
            ...Pairs\ReadPairs::tests(),
            ...Client\ClientTable::ofPublishedComparison($catalogue),
            ...ManyKeys\BatchTable::tests($catalogue),
            ...Eav\CustomerQuery::tests(),
            ...Memory\MemoryTable::tests(),
            ...ManyKeys\BatchTable::ofCallLoops(),
            ...ManyKeys\BatchTable::ofModules(),
            ...Stampede\CacheTable::tests($catalogue),
        ]);
    }

    /** @return list<Test> */
    public function all(): array
    {
        return array_values($this->tests);
    }

    /** @throws UsageError */
    public function get(string $name): Test
    {
        return $this->tests[$name] ?? throw new UsageError(
            \sprintf('There is no test "%s". There are: %s.', $name, implode(', ', array_keys($this->tests))),
        );
    }

    /**
     * @param string $list `keys:pairs`, or `all`
     *
     * @return list<Test>
     *
     * @throws UsageError
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
