<?php

declare(strict_types=1);

namespace Larder\Torture\Exact;

use Larder\Dependency\RecordedReads;
use Larder\Dependency\SideEffects;
use Larder\Dependency\Transaction;
use Larder\Dependency\Write;
use Larder\Torture\Exploration\Mutant;

/** A rule by which names are derived. Without any of them a stale read must be found, or the zero proves nothing. */
enum Rule: string
{
    /** What reads something that is not declared, such as a view, is not stored. */
    case Declared = 'declared';
    case ForeignKeys = 'foreign-keys';
    case Triggers = 'triggers';
    /** REPLACE deletes the rows that are in its way. */
    case Replace = 'replace';
    /** What was written is made known before COMMIT. */
    case Commit = 'commit';

    /** Switches the rule off for all that this process does. */
    public function switchOff(): void
    {
        $this->mutant()->loadInstead();
    }

    private function mutant(): Mutant
    {
        return match ($this) {
            self::Declared => new Mutant(RecordedReads::class, [
                'if ($this->registry->find($source) === null) {' => 'if (false) {',
            ]),
            self::ForeignKeys => new Mutant(SideEffects::class, ['$this->keys[$name][] = [' => '$unused = [']),
            self::Triggers => new Mutant(SideEffects::class, ['$this->triggers[$name][] = ' => '$unused = ']),
            self::Replace => new Mutant(Write::class, ['...($replaces ? [self::DELETE] : [])' => '']),
            self::Commit => new Mutant(Transaction::class, ['$this->tell($connection);
        }
        $made = $this->guarded($run);' => '}
        $made = $this->guarded($run);']),
        };
    }
}
