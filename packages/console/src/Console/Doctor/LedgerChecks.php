<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Exception\LarderException;
use Larder\Page\PageDirectory;
use Larder\Page\Release;
use Larder\Sql\Ledger\Publication;
use Larder\Sql\Ledger\SqlLedger;

/** @internal Compares the list of controllers, the ledger and the page directory, which have to be of one release. */
final readonly class LedgerChecks
{
    /** Microseconds that a page may take between the ledger and the directory. */
    private const PAUSE = 200_000;

    public function __construct(
        private SqlLedger $ledger,
        private PageDirectory $directory,
    ) {}

    /**
     * @param bool $hasPages whether there is a page directory
     *
     * @return list<Check> those after a failed one that follow from it are left out
     */
    public function checks(Release $release, bool $hasPages): array
    {
        $answers = 'the ledger answers';
        try {
            $state = $this->ledger->state()->read();
        } catch (LarderException $exception) {
            return [Check::failed($answers, rtrim($exception->getMessage(), '.') . '. Run larder deploy')];
        }
        $checks = [
            Check::ok($answers),
            ...$this->ofServer(),
            Check::that(
                'the ledger knows this registry',
                $state['registry'] === $this->ledger->connection()->registry()->hash(),
                'it was deployed with other tables, columns or sets: run larder deploy',
            ),
        ];
        $belongs = 'the page directory belongs to this ledger';
        $served = $hasPages ? $this->directory->release() : null;
        $same = 'the list, the ledger and nginx have one release';
        if ($state['release'] !== $release->id || ($served !== null && $served !== $release->id)) {
            $checks[] = Check::failed($same, \sprintf(
                'the list has %s, the ledger %s and the page directory %s: somebody deployed another list or another '
                    . 'page directory over this database. Run larder deploy for the site that is to be served',
                $release->id,
                $state['release'] === '' ? 'none' : $state['release'],
                $served ?? 'none',
            ));

            return $checks;
        }
        $checks[] = Check::ok($same);
        if (!$hasPages) {
            return $checks;
        }
        $place = $state['place'];
        $checks[] = Check::that(
            'the page directory is the one that was deployed',
            $place === null || $this->directory->isAt($place),
            "$place was: run larder deploy for the site that is to be served",
        );
        if (!$this->directory->isOf($state['id'])) {
            return [...$checks, Check::failed(
                $belongs,
                'the ledger knows another one, of another host or container, or this one was removed and made anew: no '
                    . 'page is stored here, and changes fail. If the other one is gone for good, and no nginx serves '
                    . 'it, run larder deploy --take. For several hosts name memcached servers in Storage::$memcached',
            )];
        }
        $mark = $this->directory->ledger();
        if ($mark === null) {
            return [...$checks, Check::remark($belongs, 'it is empty, as after a reboot: the first miss sets it up')];
        }
        if ($mark !== $state['id']) {
            return [...$checks, Check::failed($belongs, 'its pages are another ledger\'s: run larder flush')];
        }

        return [...$checks, Check::ok($belongs), $this->pages($release->id)];
    }

    /** @return list<Check> whether pages can be stored at all, where the ledger has a connection of its own */
    private function ofServer(): array
    {
        $dialect = $this->ledger->connection()->dialect();

        return $dialect->choose(static fn(): array => [], fn(): array => $this->ofRights());
    }

    /** @return list<Check> */
    private function ofRights(): array
    {
        $rights = (new RightsChecks($this->ledger->connection()))->checks();
        if (array_filter($rights, static fn(Check $check): bool => $check->state === 'failed') !== []) {
            return $rights;
        }

        return [...$rights, Check::that(
            'what the database commits outlives the pages',
            $this->ledger->isDurable(),
            'so no page is stored: ' . Publication::NotDurable->value . ' (2 will do for pages in a tmpfs on the host'
                . ' of the server, which is reached by its socket)',
        )];
    }

    private function pages(string $release): Check
    {
        $name = 'the pages in the directory are those in the ledger';
        [$strays, $absent] = $this->differences($release);
        if ([...$strays, ...$absent] !== []) {
            // Some are being stored or dropped just now.
            usleep(self::PAUSE);
            [$later, $gone] = $this->differences($release);
            $strays = array_intersect($strays, $later);
            $absent = array_intersect($absent, $gone);
        }
        $found = [
            ...$strays === [] ? [] : [\sprintf(
                '%d pages, such as %s, are not registered, so no change would drop them',
                \count($strays),
                reset($strays),
            )],
            ...$absent === [] ? [] : [\sprintf(
                '%d registered pages, such as %s, are not here: files were removed',
                \count($absent),
                reset($absent),
            )],
        ];

        return Check::that($name, $found === [], implode('; ', $found) . ': run larder flush');
    }

    /** @return array{list<string>, list<string>} pages that only the directory has, and that only the ledger has */
    private function differences(string $release): array
    {
        $registered = $this->ledger->index()->pages($release);
        $stored = $this->directory->keys();

        return [
            array_values(array_diff($stored, $registered)),
            array_values(array_diff($registered, $stored)),
        ];
    }
}
