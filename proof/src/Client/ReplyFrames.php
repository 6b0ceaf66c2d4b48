<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

/** Finds the replies in a stream. The bytes that it passes on never end within a line. */
final class ReplyFrames
{
    /** Bytes of a value that are still to come. */
    private int $left = 0;

    private string $held = '';

    /**
     * @return array{string, list<array{int, int, int}>} bytes to pass on; the replies that begin in them: where, where
     *     the line ends, and where the whole reply does, which may be beyond the bytes
     */
    public function take(string $bytes): array
    {
        $bytes = $this->held . $bytes;
        $this->held = '';
        $length = \strlen($bytes);
        $frames = [];
        $at = $this->left;
        while ($at < $length) {
            $end = strpos($bytes, "\n", $at);
            if ($end === false) {
                $this->held = substr($bytes, $at);
                $bytes = substr($bytes, 0, $at);
                $length = $at;
                break;
            }
            ++$end;
            $next = $end;
            if ($bytes[$at] === 'V') {
                $next += 2
                    + (
                        $bytes[$at + 2] === ' '
                            ? (int) substr($bytes, $at + 3, 12)
                            : (int) (explode(' ', substr($bytes, $at, $end - $at))[3] ?? 0)
                    );
            }
            $frames[] = [$at, $end, $next];
            $at = $next;
        }
        $this->left = max(0, $at - $length);

        return [$bytes, $frames];
    }
}
