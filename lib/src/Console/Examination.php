<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Dependency\RecordingPdo;
use Larder\Exception\LarderException;
use Larder\Page\Pages;
use Larder\Page\Site;
use PDOException;

/**
 * The checks of `larder doctor`. Each says how to mend what it finds.
 *
 * @phpstan-type Check array{check: string, state: 'ok'|'remark'|'failed', remedy: string|null}
 */
final readonly class Examination
{
    public function __construct(private Site $site) {}

    /** @return list<Check> */
    public function checks(): array
    {
        $checks = [...$this->ofDirectory(), ...$this->ofRelease()];
        try {
            $database = ($this->site->connect)();
        } catch (PDOException $exception) {
            return [...$checks, self::failed('the database opens', $exception->getMessage())];
        }

        return [...$checks, ...$this->ofTables($database), ...$this->ofLedger($database)];
    }

    /** @return list<Check> */
    private function ofDirectory(): array
    {
        $directory = Pages::of($this->site)->directory();

        return [
            self::check(
                'the page directory is there and this user may write to it',
                $directory->isWritable(),
                \sprintf('make %s, owned by php-fpm\'s user', $this->site->pages),
            ),
            self::remark(
                'the page directory is in memory',
                $directory->isInMemory(),
                'on a disk a power loss can bring back pages that a change had removed:'
                . ' use a tmpfs such as /run, or empty it before nginx starts',
            ),
            self::remark(
                'OPcache is loaded',
                \extension_loaded('Zend OPcache'),
                'misses cost several times as much without it',
            ),
        ];
    }

    /** @return list<Check> */
    private function ofRelease(): array
    {
        $release = Pages::of($this->site)->release();
        if ($release === null) {
            return [self::failed('a release is deployed', 'run larder deploy')];
        }
        $mismatch = $release->mismatch($this->site);
        $served = Pages::of($this->site)->directory()->release();

        return [
            self::check(
                'the list of controllers matches the code',
                $mismatch === null,
                $mismatch . ': run larder deploy',
            ),
            self::check('nginx serves the pages of this release', $served === $release->id, 'run larder deploy'),
        ];
    }

    /** @return list<Check> */
    private function ofTables(RecordingPdo $database): array
    {
        $checks = [];
        foreach ($this->site->registry->tables() as $table) {
            $what = "{$table->name} is a table with the declared columns";
            try {
                $columns = implode(', ', array_keys($table->columns));
                $database->run("SELECT $columns FROM {$table->name} LIMIT 0");
                $isTable = $database->run($database->dialect()->tableQuery(), [$table->name])->fetchColumn() !== false;
                $remedy = 'it is a view, whose changes nobody announces: declare the tables behind it';
                $checks[] = self::check($what, $isTable, $remedy);
            } catch (PDOException $exception) {
                $checks[] = self::failed($what, $exception->getMessage());
            }
        }
        $advice = $database->dialect()->advice();
        $isGood = $database->run($advice['query'])->fetchColumn() === $advice['good'];
        $checks[] = self::remark('the database is set up for readers beside a writer', $isGood, $advice['remedy']);

        return $checks;
    }

    /** @return list<Check> */
    private function ofLedger(RecordingPdo $database): array
    {
        $pages = Pages::of($this->site);
        $ledger = $pages->ledger($database);
        try {
            $state = $ledger->state()->read();
        } catch (LarderException $exception) {
            return [self::failed('the ledger answers', $exception->getMessage())];
        }
        $release = $pages->release()->id ?? '';
        $directory = $pages->directory();
        $isUnknown = static fn(string $key): bool => $ledger->index()->ofPage($key) === [];
        $unknown = array_filter($directory->keys(), $isUnknown);
        $count = \count($unknown);
        $registry = $this->site->registry->hash();

        return [
            self::check('the ledger knows this release', $state['release'] === $release, 'run larder deploy'),
            self::check('the ledger knows this registry', $state['registry'] === $registry, 'run larder deploy'),
            self::check(
                'the page directory belongs to this ledger',
                $directory->ledger() === $state['id'],
                'run larder flush',
            ),
            self::check(
                'every page is registered',
                $count === 0,
                "$count are not, so no change would drop them: run larder flush",
            ),
        ];
    }

    /** @return Check */
    private static function check(string $what, bool $holds, string $remedy): array
    {
        return ['check' => $what, 'state' => $holds ? 'ok' : 'failed', 'remedy' => $holds ? null : $remedy];
    }

    /** @return Check */
    private static function remark(string $what, bool $holds, string $remedy): array
    {
        return ['check' => $what, 'state' => $holds ? 'ok' : 'remark', 'remedy' => $holds ? null : $remedy];
    }

    /** @return Check */
    private static function failed(string $what, string $remedy): array
    {
        return self::check($what, false, $remedy);
    }
}
