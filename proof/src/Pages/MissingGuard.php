<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Larder\Page\MemcachedPageStore;
use Larder\Proof\Mutation\Mutant;

/** A guard of the pages in memcached that is taken away, to see that the program finds what it prevents. */
enum MissingGuard: string
{
    case None = '';
    /** A change deletes its pages on the first server alone. */
    case Drop = 'drop';
    /** Publishing overwrites whatever is at the key, and not only the renderer's own stub. */
    case Swap = 'swap';

    /** Loads the class without the guard, in a process that has not loaded the real one. */
    public function takeAway(): void
    {
        $replacements = match ($this) {
            self::None => [],
            self::Drop => ['foreach ($this->nodes->tell($commands)'
                => 'foreach ($this->nodes->tell(array_intersect_key($commands, [0]))'],
            self::Swap => ['"ms %s %d C%s\r\n%s\r\n"' => '"ms %1\$s %2\$d\r\n%4\$s\r\n"'],
        };
        if ($replacements !== [] && !class_exists(MemcachedPageStore::class, false)) {
            (new Mutant(MemcachedPageStore::class, $replacements))->loadInstead();
        }
    }
}
