<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Page\FilePageStore;
use Larder\Proof\Mutation\Mutant;
use Larder\Sql\Ledger\OneWriterProtocol;
use Larder\Sql\Ledger\PageRegister;
use Larder\Sql\Ledger\SqlLedger;

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

    public function mutants(): array
    {
        $files = Mutant::of(FilePageStore::class);
        $protocol = Mutant::of(OneWriterProtocol::class);

        return match ($this) {
            self::OneDraftName => [$files->replace('draft / call bin2hex', "'one'")
                ->replace('draft / statement write !TWIN', '{expr.var}->unlink({expr.args.0}); {itself};')
                ->replace('draft / statement write TWIN', '{expr.var}->unlink({expr.args.0}); {itself};')],
            self::PagesBeforeDrafts => [$files->replace('take / loop takeWhole / expr', '[]')
                ->replace('take / statement getTimestamp', '{itself};
                    foreach ({parameter 0} as $placed) {
                        $page = $this->page($placed->release, $placed->page);
                        $this->files->unlink($page . self::TWIN);
                        $this->files->unlink($page);
                    }')],
            self::TwinDraftedLate => [$files->remove('draft / statement write TWIN')
                ->remove('stamp / statement stamp TWIN')
                ->replace('publish / statement endStale', 'if (!{operand rename !TWIN}) {
                        return false;
                    }
                    $this->files->write($this->drafted({parameter 0}->name . self::TWIN), {parameter 0}->twin);
                    $this->files->stamp($this->drafted({parameter 0}->name . self::TWIN), {parameter 1});
                    {itself};')
                ->remove('publish / statement endStale / operand rename !TWIN')],
            self::TwinDraftLeft => [$files->replace('take / statement array_push', '{expr.args.0}[] = {expr.args.1};')],
            self::TwinLeft => [$files->remove('take / statement unlink TWIN')],
            self::RegisteredAfterRename => [$protocol->remove('register / statement insert')
                ->replace('publish / statement Stored', 'if ({expr.left} !== null || !{expr.right.cond}) {
                        return {expr.left} ?? Publication::Changed;
                    }
                    {parameter 3}->begin();
                    $this->register->index->insert({parameter 0}, $this->release, [], {expr.right.cond.args.0});
                    {parameter 3}->transaction()->commit();
                    return Publication::Stored;')],
            self::RenamedInTransaction => [
                $protocol->replace('publish / statement register', '{itself};
                        $placed = {expr.var.items.0} === null && {parameter 2}({expr.var.items.1});')
                    ->replace('publish / choice Stored / cond', '$placed'),
                $files->replace('publish / branch stamp / cond', 'false'),
            ],
            self::NoVersionCheck => [$protocol->remove("register / operand 'versions'")],
            self::NoBump => [$protocol->remove('announce / statement bump')],
            self::VersionsReadLate => [Mutant::of(SqlLedger::class)
                ->replace('snapshot / statement snapshot', '{itself}; ({argument seal})();')
                ->replace('snapshot / call snapshot / argument seal / value', 'static function (): void {}')],
            self::CheckedWithoutLock => [$protocol
                ->replace('publish / call register', '$this->register({args.0}, {args.1}, {args.2}, $seen)')
                ->replace('publish / statement patience !dialect', '{itself};
                    $seen = $this->register->state->read(array_keys({parameter 0}->reads->versions()))["versions"];')
                ->replace('register / parameter WriterTransaction', '{itself}, array $seen')
                ->replace("register / operand 'versions' / right", '$seen')],
            self::RefusedPublished => [$protocol->replace('publish / return Stored / expr', '{choice Stored}')],
            self::DroppedAfterCommit => [$protocol->replace('announce / statement outdate', '$late = {expr.args.0};
                {parameter 2}->afterwards(static fn() => {expr.var}->outdate($late));')],
            self::FailedDropCommitted => [$protocol->replace('announce / statement rollBack', 'return [];')],
            self::StampedLate => [
                $protocol->remove('register / statement {parameter 1}')
                    ->replace('publish / statement Stored', 'if ({expr.left} === null) {
                            {parameter 1}({expr.right.cond.args.0});
                        }
                        {itself};'),
                $files->replace('stamp / statement stamp TWIN', 'touch({expr.args.0}, {expr.args.1});')
                    ->replace('stamp / statement stamp !TWIN', '$this->files->mtime($this->mark());
                        touch({expr.args.0}, {expr.args.1});'),
            ],
            self::OldRegistrationForgotten => [Mutant::of(PageRegister::class)->replace('makeRoom / statement drop', '
                $isOther = static fn(array $row): bool => $row["placed"]->page !== {parameter 0}->page;
                $this->pages->drop(array_column(array_filter({expr.args.0.args.0}, $isOther), "placed"));')],
            self::OldDraftForgotten => [Mutant::of(PageRegister::class)->replace('makeRoom / statement drop', '
                $forget = static fn(array $row): object => new \Larder\Sql\Ledger\RegisteredPage(
                    $row["placed"]->page,
                    $row["placed"]->page === {parameter 0}->page ? "forgotten" : $row["placed"]->draft,
                    $row["placed"]->release,
                );
                $this->pages->drop(array_values(array_map($forget, {expr.args.0.args.0})));')],
            self::DraftsCleared => [$files->remove("putAside / statement rename '/r'")
                ->replace('putAside / loop unlink', '$this->files->rename($this->directory . "/r",
                    $this->directory . "/aside/" . random_int(0, PHP_INT_MAX)); {itself};')],
        };
    }
}
