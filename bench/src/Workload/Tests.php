<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Larder\Bench\Exception\UsageError;
use Larder\Bench\Subject\Catalogue;

/** All tests by name. Each family of workloads has its table. */
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
            ...Table::named('client')->tests($catalogue),
            ...Table::named('encoding')->tests($catalogue),
            ...Table::named('code')->tests($catalogue),
            ...Table::named('pages')->tests($catalogue),
            ...Table::named('rows')->tests($catalogue),
            ...Table::named('set-get')->tests($catalogue),
            ...Table::named('many-keys')->tests($catalogue),
            ...Table::named('customers')->tests($catalogue),
            ...Table::named('memory')->tests($catalogue),
            ...Table::named('calls')->tests($catalogue),
            ...Table::named('modules')->tests($catalogue),
            ...Table::named('cache')->tests($catalogue),
            ...Table::named('sql')->tests($catalogue),
            ...Table::named('requests')->tests($catalogue),
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
