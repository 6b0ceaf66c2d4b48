<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Dependency\AnnouncedChange;

/**
 * What learns of the changes of a site.
 *
 * @internal
 *
 * @phpstan-type Listener Closure(AnnouncedChange): (Closure(): mixed|null)
 */
final readonly class ChangeListeners
{
    /** @param list<Listener> $listeners called in this order, before COMMIT and after it */
    public function __construct(private array $listeners) {}

    /** @return (Closure(): mixed)|null to run after COMMIT; null: nobody has anything to do then */
    public function announce(AnnouncedChange $change): ?Closure
    {
        // To all of them a page is what nginx asks for, whatever is kept of it.
        $pages = $change->dropped === null ? null : array_map(PagePath::own(...), $change->dropped);
        $change = new AnnouncedChange($change->names, $pages === null ? null : array_values(array_unique($pages)));
        $then = [];
        foreach ($this->listeners as $listener) {
            $then[] = $listener($change);
        }
        $then = array_values(array_filter($then));

        return $then === [] ? null : static function () use ($then): void {
            foreach ($then as $do) {
                $do();
            }
        };
    }
}
