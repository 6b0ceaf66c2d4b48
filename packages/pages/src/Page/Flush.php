<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Dependency\Name;
use Larder\Exception\LarderException;
use Larder\Exception\UnknownName;
use Larder\Sql\Ledger\SqlLedger;
use Throwable;

/**
 * Ends pages as a change of their data would: the versions are raised too, so no render of before is stored.
 *
 * @internal for the dashboard and `larder flush`
 */
final readonly class Flush
{
    public function __construct(private SqlLedger $ledger) {}

    /**
     * Ends a page, by the name of it that the fewest pages have. They all end.
     *
     * @param string $key as nginx makes it
     *
     * @return array{name: string, pages: list<string>, unknown?: string}|null null: it is not stored, or was made from
     *     nothing
     *
     * @throws LarderException
     */
    public function page(string $key): ?array
    {
        $fewest = null;
        $index = $this->ledger->index();
        foreach (array_merge(...array_map($index->namesOf(...), PagePath::forms($key))) as $name) {
            // A long name is in the index as its hash alone.
            if (str_starts_with($name, '~')) {
                continue;
            }
            $pages = $this->pagesOf($name);
            if ($fewest === null || \count($pages) < \count($fewest['pages'])) {
                $fewest = ['name' => $name, 'pages' => $pages];
            }
        }

        return $fewest === null ? null : $this->name($fewest['name']);
    }

    /**
     * Ends the pages that were made from a name, and the values that have its version from the ledger.
     *
     * @return array{name: string, pages: list<string>, unknown?: string} the pages that were there, and why nothing can
     *     be made from such a name, unless the application has a word of this text
     *
     * @throws LarderException
     */
    public function name(string $name): array
    {
        $pages = $this->pagesOf($name);
        $connection = $this->ledger->connection();
        $connection->beginTransaction();
        try {
            $this->ledger->announceUntold([$this->dependency($name)]);
            $connection->commit();
        } catch (Throwable $exception) {
            if ($connection->inTransaction()) {
                $connection->takeBack();
            }
            throw $exception;
        }

        $unknown = $pages === [] ? $this->unknown($name) : null;

        return ['name' => $name, 'pages' => $pages, ...($unknown === null ? [] : ['unknown' => $unknown])];
    }

    private function unknown(string $name): ?string
    {
        try {
            str_starts_with($name, Name::WORD) ? null : $this->ledger->connection()->registry()->parse($name);

            return null;
        } catch (UnknownName $unknown) {
            return $unknown->getMessage();
        }
    }

    /** @return list<string> */
    private function pagesOf(string $name): array
    {
        return array_map(PagePath::own(...), $this->ledger->index()->pagesOf($this->dependency($name)));
    }

    private function dependency(string $name): Name
    {
        return $this->ledger->connection()->registry()->of($name);
    }
}
