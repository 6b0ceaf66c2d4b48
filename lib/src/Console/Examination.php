<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Dependency\RecordingPdo;
use Larder\Exception\LarderException;
use Larder\Page\Pages;
use Larder\Page\Site;
use PDOException;

/**
 * What doctor looks at. Each check says how to mend what it finds.
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
            self::check('the page directory is there and this user may write to it', $directory->isWritable(), \sprintf('make %s, owned by php-fpm\'s user', $this->site->pages)),
            self::remark('the page directory is in memory', $directory->isInMemory(), 'on a disk a power loss can bring back pages that a change had removed: use a tmpfs such as /run, or empty it before nginx starts'),
            self::remark('OPcache is loaded', \extension_loaded('Zend OPcache'), 'misses cost several times as much without it'),
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

        return [
            self::check('the list of controllers matches the code', $mismatch === null, $mismatch . ': run larder deploy'),
            self::check('nginx serves the pages of this release', Pages::of($this->site)->directory()->release() === $release->id, 'run larder deploy'),
        ];
    }

    /** @return list<Check> */
    private function ofTables(RecordingPdo $database): array
    {
        $checks = [];
        foreach ($this->site->registry->tables() as $table) {
            try {
                $columns = implode(', ', array_keys($table->columns));
                $database->run("SELECT $columns FROM {$table->name} LIMIT 0");
                $isTable = $database->run($database->dialect()->tableQuery(), [$table->name])->fetchColumn() !== false;
                $checks[] = self::check("{$table->name} is a table with the declared columns", $isTable, 'it is a view, whose changes nobody tells: declare the tables behind it');
            } catch (PDOException $exception) {
                $checks[] = self::failed("{$table->name} is a table with the declared columns", $exception->getMessage());
            }
        }
        $advice = $database->dialect()->advice();
        $checks[] = self::remark('the database is set up for readers beside a writer', $database->run($advice['query'])->fetchColumn() === $advice['good'], $advice['remedy']);

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
        $registered = array_filter($directory->keys(), static fn(string $key): bool => $ledger->index()->ofPage($key) === []);

        return [
            self::check('the ledger knows this release', $state['release'] === $release, 'run larder deploy'),
            self::check('the ledger knows this registry', $state['registry'] === $this->site->registry->hash(), 'run larder deploy'),
            self::check('the page directory belongs to this ledger', $directory->ledger() === $state['id'], 'run larder flush'),
            self::check('every page is registered', $registered === [], \sprintf('%d are not, so no change would drop them: run larder flush', \count($registered))),
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
