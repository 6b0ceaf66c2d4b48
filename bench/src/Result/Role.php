<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

/** What a subject is there for. The role alone decides whether its replies are checked and whether it ranks. */
enum Role: string
{
    case Contender = 'contender';

    /**
     * Does nothing, or the least that PHP can do: what the others cost beyond it is their own. Its replies are not
     * checked.
     */
    case Floor = 'floor';

    /** What the machine gives for this test by means that need not be a cache; a reference, which may be beaten. */
    case Ceiling = 'ceiling';

    /** A second name of a contender: both must come out equal (the A/A check). */
    case Twin = 'twin';

    public function isChecked(): bool
    {
        return $this !== self::Floor;
    }

    /** What it is called beside a bar: a ceiling that is beaten is none. */
    public function label(): string
    {
        return match ($this) {
            self::Contender => '',
            self::Floor => 'floor, not checked',
            self::Ceiling => 'reference',
            self::Twin => 'A/A',
        };
    }
}
