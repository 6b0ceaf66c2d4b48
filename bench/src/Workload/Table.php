<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Closure;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Workload\Published\PublishedRun;

/**
 * Tests out of a file that returns a row a test, by its name: what Test calls title, work, unit, workload, subjects and
 * full. By their names may follow quick, quickSubjects, blocks and published, a closure that gets the catalogue.
 *
 * Operations are a workload in process. Subjects are words. A condition that is a list stands for one of its values
 * after the other.
 */
final readonly class Table
{
    private const COLUMNS = [0, 1, 2, 3, 4, 5, 'quick', 'quickSubjects', 'blocks', 'published'];

    /** @var array<string, array<mixed>> */
    private array $rows;

    public function __construct(private string $file)
    {
        $rows = (static fn(): mixed => require $file)();
        $checked = [];
        foreach (\is_array($rows) ? $rows : throw new \LogicException($file . ' returns no table.') as $name => $row) {
            if (!\is_string($name) || !\is_array($row)) {
                throw $this->wrong((string) $name, 'a row is a list of columns, by the name of its test');
            }
            $unknown = array_diff(array_keys($row), self::COLUMNS);
            $checked[$name] = $unknown === []
                ? $row
                : throw $this->wrong($name, 'there is no column ' . implode(', ', $unknown));
        }
        $this->rows = $checked;
    }

    /** One of the tables of this package. */
    public static function named(string $name): self
    {
        return new self(\sprintf('%s/tables/%s.php', __DIR__, $name));
    }

    /** @return list<string> of its tests */
    public function names(): array
    {
        return array_keys($this->rows);
    }

    /** @return list<Test> */
    public function tests(Catalogue $catalogue): array
    {
        return array_map(
            fn(string $name, array $row): Test => $this->test($name, $row, $catalogue),
            array_keys($this->rows),
            $this->rows,
        );
    }

    /** @param array<mixed> $row */
    private function test(string $name, array $row, Catalogue $catalogue): Test
    {
        $work = $row[3] ?? null;
        $blocks = $row['blocks'] ?? null;
        $published = $row['published'] ?? null;

        return new Test(
            $name,
            $this->text($name, 'title', $row[0] ?? null),
            $this->text($name, 'work', $row[1] ?? null),
            $this->text($name, 'unit', $row[2] ?? null),
            match (true) {
                $work instanceof Workload => $work,
                $work instanceof Operations => new InProcess($work),
                default => throw $this->wrong($name, 'workload is neither a Workload nor Operations'),
            },
            $this->words($name, 'subjects', $row[4] ?? null),
            $this->conditions($name, 'quick', $row['quick'] ?? []),
            $this->conditions($name, 'full', $row[5] ?? null),
            isset($row['quickSubjects']) ? $this->words($name, 'quickSubjects', $row['quickSubjects']) : null,
            $blocks === null || \is_int($blocks) ? $blocks : throw $this->wrong($name, 'blocks is no number'),
            $published instanceof Closure ? $this->published($name, $published($catalogue)) : [],
        );
    }

    private function text(string $name, string $column, mixed $value): string
    {
        return \is_string($value) && $value !== '' ? $value : throw $this->wrong($name, $column . ' is no text');
    }

    /** @return list<string> */
    private function words(string $name, string $column, mixed $value): array
    {
        return explode(' ', $this->text($name, $column, $value));
    }

    /** @return list<array<string, bool|float|int|string>> */
    private function conditions(string $name, string $column, mixed $rows): array
    {
        $conditions = [];
        foreach (\is_array($rows) ? $rows : throw $this->wrong($name, $column . ' is no list') as $row) {
            $made = [[]];
            foreach (\is_array($row) ? $row : [$row] as $parameter => $values) {
                $next = [];
                foreach ($made as $condition) {
                    foreach (\is_array($values) ? $values : [$values] as $value) {
                        $next[] = \is_string($parameter) && \is_scalar($value)
                            ? [...$condition, $parameter => $value]
                            : throw $this->wrong($name, $column . ' has a value without a parameter');
                    }
                }
                $made = $next;
            }
            array_push($conditions, ...$made);
        }

        return $conditions;
    }

    /** @return list<PublishedRun> */
    private function published(string $name, mixed $runs): array
    {
        $published = [];
        foreach (\is_array($runs) ? $runs : [] as $run) {
            $published[] = $run instanceof PublishedRun ? $run : throw $this->wrong($name, 'published is no run');
        }

        return $published;
    }

    private function wrong(string $name, string $what): \LogicException
    {
        return new \LogicException(\sprintf('Row "%s" of %s: %s.', $name, basename($this->file), $what));
    }
}
