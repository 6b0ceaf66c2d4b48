<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Closure;
use Larder\Dependency\Name;

/**
 * @internal Tells whoever follows a ledger what is about to be committed. A LedgerProtocol calls it inside the
 * transaction, and runs what it returns after COMMIT.
 *
 * @phpstan-type Listener Closure(AnnouncedChange): (Closure(): mixed|null)
 */
final readonly class Announcements
{
    /** @param Listener|null $announced */
    public function __construct(private ?Closure $announced) {}

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
