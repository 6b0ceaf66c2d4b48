<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

/** What a text has gone through before a parser sees it. */
enum Damage: string
{
    case None = 'none';
    /** Up to three lines in a row are gone, or came twice. */
    case Lines = 'lines';
    /** A line that is not the log's stands between its lines. */
    case Between = 'between';
    /** The text is cut off. */
    case Cut = 'cut';
    /** Bytes are others. */
    case Bytes = 'bytes';
    /** All of it is random lines. */
    case Random = 'random';

    /** Whether the parser can see it, so that no change may be missed. A header with another number it cannot. */
    public function isSeen(): bool
    {
        return $this !== self::Bytes && $this !== self::Random;
    }
}
