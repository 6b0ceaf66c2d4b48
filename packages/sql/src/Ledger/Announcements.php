<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Tracker\Closers;

/**
 * @internal Tells whoever follows a ledger what is about to be committed. A LedgerProtocol calls it inside the
 * transaction, and runs what it returns after COMMIT.
 *
 * @phpstan-type Listener Closure(AnnouncedChange): (Closure(): mixed|null)
 */
final readonly class Announcements
{
    /**
     * @param Listener|null $announced
     * @param Closers|null  $closers   who are told too
     */
    public function __construct(
        private ?Closure $announced,
        private ?Closers $closers = null,
    ) {}

    /**
     * Ends what is stored of rows that are about to change.
     *
     * @param list<Name>|null $names null: everything
     *
     * @return list<Closure(): void> what is to be done after COMMIT
     *
     * @throws LedgerUnavailable
     */
    public function close(?array $names): array
    {
        return $this->closers?->close($names) ?? [];
    }

    /**
     * @param list<Name>          $names
     * @param list<RegisteredPage>|null $dropped null: all pages
     *
     * @return list<Closure(): void> none or one
     */
    public function of(array $names, ?array $dropped): array
    {
        if ($this->announced === null || ($names === [] && $dropped === [])) {
            return [];
        }
        $then = ($this->announced)(
            new AnnouncedChange($names, $dropped === null ? null : array_column($dropped, 'page')),
        );

        return $then === null ? [] : [static function () use ($then): void {
            $then();
        }];
    }
}
