<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Exception\UsageError;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Pages\SitePage;
use Larder\Bench\Workload\Eav\CustomerQuery;
use Larder\Bench\Workload\Memory\MemoryTable;
use Larder\Bench\Workload\Stampede\CacheTable;
use Larder\Bench\Workload\Tests;

/** What there is to measure, and by what. */
final readonly class Bench
{
    public function __construct(
        public Catalogue $catalogue,
        public Tests $tests,
    ) {}

    /**
     * @param string|null $subjects PHP file that returns a list of further Definitions
     *
     * @throws UsageError
     */
    public static function standard(?string $subjects = null): self
    {
        $catalogue = new Catalogue([
            ...Catalogue::definitions(),
            ...SitePage::subjects(),
            ...CustomerQuery::subjects(),
            ...MemoryTable::subjects(),
            ...CacheTable::subjects(),
            ...self::more($subjects),
        ]);

        return new self($catalogue, Tests::standard($catalogue));
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
