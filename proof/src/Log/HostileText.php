<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use Larder\Tests\Support\Sql\Choices;

/** Values, names and statements that look like what a database's log says. */
final readonly class HostileText
{
    private const PIECES = [
        "'", '"', '`', '\\', "\n", "\r\n", "\0", '\\x0a', '\\x', ' ', ';', '/*!*/;', "'/*", '*/', '# at 4', '#', '###',
        "\n# at 120\n", "\n### INSERT INTO `b`.`t`\n### SET\n###   @1=9\n", "\n# Number of rows: 1\n", "COMMIT/*!*/;\n",
        "\n#261124  0:04:20 server id 1  end_log_pos 999999 CRC32 0x670e50e9 \tXid = 9\n", '###   @1=1', 'NULL', 'null',
        "#261124  0:04:20 server id 1  end_log_pos 4 \tGTID 0-1-99 trans\n", 'DELIMITER ;', 'SET TIMESTAMP=1/*!*/;',
        "\xe9", "\xff\xfe", "\u{1F600}", '-1 (4294967295)', "b'01'", 'unchanged-toast-datum', "' new-tuple: ", '[', ']',
        'COMMIT 7', 'table public.t: TRUNCATE: (no-flags)', ':', "''", '(no-tuple-data)', ' old-key: id[integer]:1',
        '0000-00-00', "\x7f", "\x1b", '@1=', '=', '0', "/* x */", "x' /* VARSTRING(80) meta=80 nullable=1 */",
    ];

    private const NAMES = [
        't', 'news', 'a_b', 'id', 'we`ird', 'a b', 'x.y', 'UP', 'Ünï', '# at 4', '###', "it's", '日本',
    ];

    public function __construct(private Choices $choices) {}

    public function value(): string
    {
        $text = '';
        for ($left = $this->choices->number(0, 4); $left > 0; --$left) {
            $text .= $this->choices->one(self::PIECES);
        }

        return $text;
    }

    public function name(): string
    {
        return $this->choices->one(self::NAMES);
    }

    /** @param int $most lines */
    public function line(int $most = 1): string
    {
        $text = $this->choices->one(self::PIECES) . $this->choices->one(self::PIECES);

        return $most === 1 ? strtr($text, "\n", ' ') : $text;
    }
}
