<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Larder\Page\MemcachedPageStore;
use Larder\Proof\Mutation\Guard;
use Larder\Proof\Mutation\Mutant;

/** A guard of the pages in memcached that is taken away, to see that the program finds what it prevents. */
enum MissingGuard: string implements Guard
{
    case None = '';
    /** A change deletes its pages on the first server alone. */
    case Drop = 'drop';
    /** Publishing overwrites whatever is at the key, and not only the renderer's own stub. */
    case Swap = 'swap';

    public function mutants(): array
    {
        $store = Mutant::of(MemcachedPageStore::class);

        return match ($this) {
            self::None => [],
            self::Drop => [$store
                ->replace('drop / call tell', '{var}->tell(array_intersect_key({args.0}, [0]))')],
            self::Swap => [$store->text('publish', "ms %s %d C%s\r\n%s", "ms %1\$s %2\$d\r\n%4\$s")],
        };
    }
}
