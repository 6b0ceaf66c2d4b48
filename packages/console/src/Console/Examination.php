<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Console\Doctor\Check;
use Larder\Console\Doctor\DirectoryChecks;
use Larder\Console\Doctor\EdgeChecks;
use Larder\Console\Doctor\FunctionCalls;
use Larder\Console\Doctor\LedgerChecks;
use Larder\Console\Doctor\PoolChecks;
use Larder\Console\Doctor\ProcessReport;
use Larder\Console\Doctor\SchemaChecks;
use Larder\Console\Doctor\ServerChecks;
use Larder\Console\Doctor\StoreChecks;
use Larder\Console\Doctor\UserProcess;
use Larder\Exception\LarderException;
use Larder\Page\Pages;
use Larder\Page\PageServers;
use Larder\Page\Release;
use Larder\Page\Site;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\TrackedConnection;
use PDOException;

/**
 * All checks of `larder doctor`: of what is, not of what is configured. A check that cannot be made because another one
 * failed is left out, so that one ill has one name.
 *
 * @internal
 */
final readonly class Examination
{
    /** Seconds by which a clock may differ, one of them for the whole ones that a database counts. */
    private const CLOCKS_APART = 3;

    /**
     * @param string|null $nginx address of nginx; null: neither it nor php-fpm is asked
     * @param string|null $php   socket of php-fpm; null: the one that nginx has loaded
     * @param string|null $user  whose rights are looked at; null: php-fpm's, or the owner of the page directory
     */
    public function __construct(
        private Site $site,
        private ?string $nginx = null,
        private ?string $php = null,
        private ?string $user = null,
    ) {}

    /**
     * @return list<Check>
     *
     * @throws Refused if this user may not look as the one that was asked for
     */
    public function checks(): array
    {
        [$servers, $php] = $this->nginx === null
            ? [[], null]
            : (new ServerChecks($this->site, $this->nginx, $this->php))->run();
        [$list, $directory, $schema, $ledger] = $this->ofPages($this->reporter($php));
        $store = $this->site->operations->store;

        return [
            ...$servers,
            ...$directory,
            ...$list,
            ...$schema,
            ...$ledger,
            ...($this->nginx === null ? [] : (new EdgeChecks($this->site))->run()),
            ...($store === null ? [] : (new StoreChecks($store, $this->site->pages))->checks($php)),
        ];
    }

    /**
     * What keeps every page from being stored, as far as that can be seen without asking php-fpm.
     *
     * @return list<Check> that failed, or a remark on the rights in the page directory
     */
    public function whyNothingIsStored(): array
    {
        [$list, $directory, , $ledger] = $this->ofPages($this->reporter(null));
        $isCause = static fn(Check $check): bool => $check->state === 'failed'
            || ($check->state === 'remark' && $check->name === DirectoryChecks::WRITES);

        return array_values(array_filter([...$list, ...$directory, ...$ledger], $isCause));
    }

    /** @return array{list<Check>, list<Check>, list<Check>, list<Check>} of list, page directory, schema and ledger */
    private function ofPages(?ProcessReport $report): array
    {
        $pages = Pages::of($this->site);
        $release = $pages->release();
        $list = $this->list($release, $report);
        $directory = new DirectoryChecks($this->site, $pages->directory());
        $opens = 'the database opens';
        try {
            $database = $pages->connect();
            $schema = [
                ...(new SchemaChecks($database))->checks(),
                ...(new FunctionCalls())->checks($database, $release),
            ];
            $clock = self::clock($database);
        } catch (PDOException|LarderException $exception) {
            $message = $exception->getMessage();
            $remedy = str_contains($message, 'readonly') ? '. Let php-fpm\'s user write it, and its directory' : '';

            return [$list, $directory->checks($report, 0), [Check::failed($opens, $message . $remedy)], []];
        }
        $ledger = $pages->ledger($database);
        try {
            $used = array_sum($ledger->index()->bytes());
        } catch (PDOException) {
            $used = 0;
        }
        $files = $directory->checks($report, $used);
        $isFiles = $this->site->storage->isFiles();
        $known = $release === null
            ? []
            : (new LedgerChecks($ledger, $pages->directory()))
                ->checks($release, $files[0]->state === 'ok' && $isFiles);

        return [
            $list,
            $files,
            [Check::ok($opens), $clock, ...$schema],
            $isFiles ? $known : [...$known, ...$this->elsewhere($ledger, $release)],
        ];
    }

    /** @return list<Check> of pages that are no files */
    private function elsewhere(SqlLedger $ledger, ?Release $release): array
    {
        try {
            $state = $ledger->state()->read();
            $place = $state['place'];
        } catch (LarderException|PDOException) {
            // Another check says why.
            [$state, $place] = [null, null];
        }
        $own = Pages::of($this->site)->pageStore('')->place();
        $servers = PageServers::of($this->site);
        $isKnown = $release !== null && $state !== null && $state['release'] === $release->id;

        return [
            ...($place === null ? [] : [Check::that(
                'the pages are where they were deployed',
                $place === $own,
                "they were deployed to \"$place\", and this site has them in \"$own\": let all hosts name the same "
                    . 'servers in the same order, and run larder deploy',
            )]),
            ...($servers === null ? [] : (new PoolChecks($this->site, $servers, $isKnown ? $ledger : null))
                ->checks($isKnown ? $state['id'] : null, $release->id ?? '')),
        ];
    }

    /** @return list<Check> */
    private function list(?Release $release, ?ProcessReport $report): array
    {
        $deployed = 'a release is deployed';
        if ($release === null && $report?->unreadable === $this->site->list && is_file($this->site->list)) {
            // This process may not read it either, where it works as php-fpm's user.
            return [$this->readable($report)];
        }
        if ($release === null) {
            return [Check::failed($deployed, "there is no list {$this->site->list}: run larder deploy")];
        }
        $mismatch = $release->mismatch($this->site);
        $matches = 'the list of controllers matches the code';

        return [
            Check::ok($deployed),
            Check::that($matches, $mismatch === null, "$mismatch: run larder deploy"),
            ...($report === null ? [] : [$this->readable($report)]),
        ];
    }

    /** Without the list nothing is stored. Of the code there may be files that are for commands alone. */
    private function readable(ProcessReport $report): Check
    {
        $reads = 'php-fpm\'s user may read the list and the code';
        $file = $report->unreadable;
        $remedy = "{$report->user} may not read $file: make it readable, as by chmod -R a+rX";

        return match (true) {
            $file === $this->site->list => Check::failed($reads, $remedy),
            // A file that is gone is a matter of the check before.
            $file !== '' && is_file($file) => Check::remark($reads, $remedy),
            default => Check::ok($reads),
        };
    }

    private function reporter(?ProcessReport $php): ?ProcessReport
    {
        return $this->user === null && $php !== null ? $php : UserProcess::report($this->site, $this->user);
    }

    private static function clock(TrackedConnection $database): Check
    {
        $time = current($database->own()->rows($database->dialect()->clock())[0] ?? []);
        $seconds = (is_numeric($time) ? (int) $time : 0) - time();

        return Check::that(
            'the clocks of the database and this host agree',
            abs($seconds) <= self::CLOCKS_APART,
            \sprintf('the database\'s is %+d s off: let both keep time by NTP', $seconds),
        );
    }
}
