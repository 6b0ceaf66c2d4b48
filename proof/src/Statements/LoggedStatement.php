<?php

declare(strict_types=1);

namespace Larder\Proof\Statements;

use RuntimeException;

/** One statement that an application sent, as its server logged it. */
final readonly class LoggedStatement
{
    /** @param int $count how often it was sent, with other values too */
    public function __construct(
        public int $count,
        public string $sql,
    ) {}

    /** @return list<self> of a file with a line for each: count, tab, text */
    public static function listed(string $file): array
    {
        $statements = [];
        foreach (explode("\n", rtrim((string) file_get_contents($file), "\n")) as $i => $line) {
            [$count, $sql] = explode("\t", $line, 2) + [1 => ''];
            if (!ctype_digit($count) || $sql === '') {
                throw new RuntimeException(\sprintf('%s:%d is no count, tab and statement.', $file, $i + 1));
            }
            $statements[] = new self((int) $count, $sql);
        }

        return $statements;
    }

    /** As people read it: without comments, with a short list of columns, and not longer than the columns given. */
    public function short(int $width): string
    {
        $text = mb_scrub($this->sql, 'UTF-8');
        $text = (string) preg_replace('~/\*(?!!).*?\*/\s*|[^\P{C}\n]~us', '', $text);
        $columns = '(?!COUNT|MAX|MIN)(?:[^()]|(\((?:[^()]++|(?2))*+\))){20,}?';
        $text = (string) preg_replace("~^(SELECT (?:/\*.*?\*/ |[A-Z_]{5,} )*)$columns(?= FROM )~s", '$1…', $text);
        $text = trim((string) preg_replace('~\s+~u', ' ', $text));

        return mb_strlen($text) <= $width ? $text : mb_substr($text, 0, $width - 1) . '…';
    }
}
