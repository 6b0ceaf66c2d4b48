<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Dependency\Protocol\OneWriterProtocol;
use Larder\Dependency\Protocol\PageRegister;
use Larder\Dependency\SqlLedger;
use Larder\Page\FilePageStore;
use Larder\Proof\Mutation\Mutant;

/** Algorithm F without one guard. The explorer must find what goes wrong in each, or its zero proves nothing. */
enum BrokenDouble: string implements Broken
{
    case OneDraftName = 'all drafts of a page have one name';
    case PagesBeforeDrafts = 'a change drops pages before drafts';
    case TwinDraftedLate = 'the twin is made after the check';
    case TwinDraftLeft = 'a change leaves the twin\'s draft';
    case TwinLeft = 'a change leaves the page\'s twin';
    case RegisteredAfterRename = 'the page is registered after it was renamed';
    case RenamedInTransaction = 'the page is renamed before its registration is committed, and no mark tells after a '
        . 'death';
    case NoVersionCheck = 'a publication checks no versions';
    case NoBump = 'a change raises no versions';
    case VersionsReadLate = 'versions are read after the snapshot';
    case CheckedWithoutLock = 'versions are checked before the lock is had';
    case RefusedPublished = 'a refused publication renames all the same';
    case DroppedAfterCommit = 'a change drops after COMMIT';
    case FailedDropCommitted = 'a change that could not remove a page commits';
    case StampedLate = 'the mtime is set after the registration, and an empty file is not noticed';
    case OldRegistrationForgotten = 'the page\'s older registration is deleted, its files and drafts are not';
    case OldDraftForgotten = 'the page\'s older registration is deleted with its page, its draft is not';

    case DraftsCleared = 'a flush takes pages away before drafts';

    public function implementation(): Implementation
    {
        return new Implementation(...$this->mutants());
    }

    public function scenario(): Scenario
    {
        return match ($this) {
            self::OneDraftName, self::OldRegistrationForgotten, self::OldDraftForgotten => new Scenario(2, 1),
            self::FailedDropCommitted => new Scenario(1, 1, faults: true),
            self::DraftsCleared => new Scenario(1, 0, everyStep: true, flushers: 1),
            default => new Scenario(1, 1),
        };
    }

    public function violation(): Violation
    {
        return match ($this) {
            self::StampedLate => Violation::Torn,
            self::DraftsCleared => Violation::Unregistered,
            default => Violation::Stale,
        };
    }

    /** @return list<Mutant> */
    public function mutants(): array
    {
        return match ($this) {
            self::OneDraftName => [new Mutant(FilePageStore::class, [
                '$name = bin2hex(random_bytes(16));' => '$name = \'one\';',
                '$this->files->write($this->drafted($name), $body);'
                    => '$this->files->unlink($this->drafted($name));
                $this->files->write($this->drafted($name), $body);',
                '$this->files->write($this->drafted($name . self::TWIN), $twin);'
                    => '$this->files->unlink($this->drafted($name . self::TWIN));
                $this->files->write($this->drafted($name . self::TWIN), $twin);',
            ])],
            self::PagesBeforeDrafts => [new Mutant(FilePageStore::class, [
                'foreach ($rooms as $room => $files) {' => 'foreach ([] as $room => $files) {',
                '        $drafts = [];' => '        foreach ($pages as $placed) {
            $page = $this->page($placed->release, $placed->page);
            $this->files->unlink($page . self::TWIN);
            $this->files->unlink($page);
        }
        $drafts = [];',
            ])],
            self::TwinDraftedLate => [new Mutant(FilePageStore::class, [
                '$this->files->write($this->drafted($name . self::TWIN), $twin);' => '',
                '$this->files->stamp($this->drafted($draft->name . self::TWIN), $generation);' => '',
                'return $this->files->rename($this->drafted($draft->name), $page)
            &&' => 'if (!$this->files->rename($this->drafted($draft->name), $page)) {
                    return false;
                }
                $this->files->write($this->drafted($draft->name . self::TWIN), $draft->twin);
                $this->files->stamp($this->drafted($draft->name . self::TWIN), $generation);
                return',
            ])],
            self::TwinDraftLeft => [
                new Mutant(
                    FilePageStore::class,
                    [
                        'array_push($drafts, $placed->draft, $placed->draft . self::TWIN);'
                            => '$drafts[] = $placed->draft;',
                    ],
                ),
            ],
            self::TwinLeft => [new Mutant(FilePageStore::class, ['$this->files->unlink($file . self::TWIN);' => ''])],
            self::RegisteredAfterRename => [new Mutant(OneWriterProtocol::class, [
                '$register->index->insert($registration, $this->release, $freed, $generation);' => '',
                'return $refused ?? ($place($generation) ? Publication::Stored : Publication::Changed);' => '
                if ($refused !== null || !$place($generation)) {
                    return $refused ?? Publication::Changed;
                }
                $this->connection->beginTransaction();
                $this->register->index->insert($registration, $this->release, [], $generation);
                $this->connection->commit();
                return Publication::Stored;',
            ])],
            self::RenamedInTransaction => [new Mutant(OneWriterProtocol::class, [
                '[$refused, $generation] = $this->register($registration, $stamp);'
                    => '[$refused, $generation] = $this->register($registration, $stamp);
                $placed = $refused === null && $place($generation);',
                '($place($generation) ? Publication::Stored' => '($placed ? Publication::Stored',
            ]), new Mutant(FilePageStore::class, [
                'if ($marked < $generation) {' => 'if (false) {',
            ])],
            self::NoVersionCheck => [
                new Mutant(OneWriterProtocol::class, ['if ($versions !== $state[\'versions\'] || ' => 'if (']),
            ],
            self::NoBump => [new Mutant(OneWriterProtocol::class, ['$this->register->state->bump($names);' => ''])],
            self::VersionsReadLate => [new Mutant(SqlLedger::class, [
                '$made = $this->connection->snapshot($reads, $make, function () use ($reads): void {'
                    => '$made = $this->connection->snapshot($reads, $make, static function (): void {});
                (function () use ($reads): void {',
                "            }
        });
        \$this->learn(" => '            }
                })();
                $this->learn(',
            ])],
            self::CheckedWithoutLock => [new Mutant(OneWriterProtocol::class, [
                '$usual = $this->patience();' => '$usual = $this->patience();
                $seen = $this->register->state
                    ->read(array_keys($registration->reads->versions()))["versions"];',
                '$this->register($registration, $stamp);' => '$this->register($registration, $stamp, $seen);',
                'private function register(Registration $registration, Closure $stamp): array' => 'private function '
                    . 'register(Registration $registration, Closure $stamp, array $seen): array',
                '$versions !== $state[\'versions\']' => '$versions !== $seen',
            ])],
            self::RefusedPublished => [
                new Mutant(
                    OneWriterProtocol::class,
                    ['return $refused ?? ($place($generation)' => 'return ($place($generation)'],
                ),
            ],
            self::DroppedAfterCommit => [new Mutant(OneWriterProtocol::class, [
                '                $pages->outdate(array_column($made, \'placed\'));' => '
                $late = array_column($made, "placed");
                $this->connection->afterwards(static fn() => $pages->outdate($late));',
            ])],
            self::FailedDropCommitted => [new Mutant(OneWriterProtocol::class, [
                '            $this->rollBack();
            throw $exception instanceof LedgerUnavailable
                ? $exception' => 'return [];
            throw $exception instanceof LedgerUnavailable
                ? $exception',
            ])],
            self::StampedLate => [new Mutant(OneWriterProtocol::class, [
                '$stamp($generation);' => '',
                'return $refused ?? ($place($generation)' => 'if ($refused === null) {
                    $stamp($generation);
                }
                return $refused ?? ($place($generation)',
            ]), new Mutant(FilePageStore::class, [
                '$this->files->stamp($this->drafted($draft->name), $generation);'
                    => '$this->files->mtime($this->mark()); touch($this->drafted($draft->name), $generation);',
                '$this->files->stamp($this->drafted($draft->name . self::TWIN), $generation);'
                    => 'touch($this->drafted($draft->name . self::TWIN), $generation);',
            ])],
            self::OldRegistrationForgotten => [new Mutant(PageRegister::class, [
                '$this->pages->drop(array_column($going, \'placed\'));'
                    => '$isOther = static fn(array $row): bool => $row["placed"]->page !== $registration->page;
                $this->pages->drop(array_column(array_filter($going, $isOther), "placed"));',
            ])],
            self::OldDraftForgotten => [new Mutant(PageRegister::class, [
                '$this->pages->drop(array_column($going, \'placed\'));'
                    => '$forget = static fn(array $row): object => new \Larder\Dependency\RegisteredPage(
                    $row["placed"]->page,
                    $row["placed"]->page === $registration->page ? "forgotten" : $row["placed"]->draft,
                    $row["placed"]->release);
                $this->pages->drop(array_values(array_map($forget, $going)));',
            ])],
            self::DraftsCleared => [
                new Mutant(
                    FilePageStore::class,
                    [
                        '        $this->files->rename($this->directory . \'/r\', $this->directory . \'/aside/\' . '
                            . 'bin2hex(random_bytes(8)));' => '',
                        '    private function putAside(): void
    {' => '    private function putAside(): void
    {
        $this->files->rename($this->directory . \'/r\', $this->directory . \'/aside/\' . random_int(0, PHP_INT_MAX));',
                    ],
                ),
            ],
        };
    }
}
